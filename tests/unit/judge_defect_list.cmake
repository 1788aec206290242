# SPDX-License-Identifier: MIT
# The planted defects (judge_defects.cmake): a name, a file, the right text, and the wrong one. Two
# kinds of names mean something: with `threads-`, three threads judge; what begins with `right-` is
# no defect, and nothing may come of it.

# Other instruction sets.
cumsum_plant(right-avx2 fast_choice.h [[__builtin_cpu_supports("avx512f")]] false)
cumsum_plant(right-baseline fast_choice.h
             [[__builtin_cpu_supports("avx512vl")]] false [[__builtin_cpu_supports("avx2")]] false)

# FLOAT32, segments: fast_line.c
cumsum_plant(bound-wide fast_line.c [[largest * (1 - 0x1p-50)]] [[largest * (1 + 0x1p-22)]])
cumsum_plant(margin-forgotten fast_line.c [[largest * (1 - 0x1p-20) - 0x1p-11]] [[largest]])
cumsum_plant(h-not-raised fast_line.c [[raises && raise_largest(s, l, &b)]] false)
cumsum_plant(class-not-lost fast_line.c [[within < limit ? within : limit]] within)
cumsum_plant(verdict-ignored fast_line.c [[within < limit ? within : limit]] limit)
cumsum_plant(rounding-not-asked fast_line.c
             [[b->f.rounding = rounded && largest > 0 ? FAST_ROUNDED : FAST_ANY;]]
             [[b->f.rounding = FAST_ANY;]])
cumsum_plant(fine-rounding-not-asked fast_line.c [[rounded ? FAST_ROUNDED_FINE : FAST_ANY_FINE]]
             FAST_ANY_FINE)
cumsum_plant(exclusive-place fast_line.c [[begin + s->problem.exclusive]] begin)
cumsum_plant(off-grid-ignored fast_line.c [[exact ? f->off_grid : f->off_fine]]
             [[exact ? false : f->off_fine]])
cumsum_plant(magnitude-off-grid fast_line.c [[!(f->magnitude <= most)]] false)
cumsum_plant(short-prefix fast_line.c [[l->nonzero > short_prefix]] [[l->nonzero > 1]])
cumsum_plant(short-prefix-of-eight fast_line.c [[s->how.values ? REACH_MOST : REACH_ALWAYS]]
             REACH_ALWAYS)
cumsum_plant(specials-continued fast_line.c [[!s->last_writer && !l->special]]
             [[!s->last_writer]])
cumsum_plant(rest-lost fast_line.c [[l->low = f->sum_rest;]] [[l->low = 0;]])
cumsum_plant(magnitude-rest-lost fast_line.c [[l->magnitude_low = f->magnitude_rest;]]
             [[l->magnitude_low = 0;]])
cumsum_plant(h-group-place fast_line.c [[at.terms += FAST_GROUP * i;]] "")
cumsum_plant(terms-not-counted fast_line.c [[l->terms += f->count;]] [[l->terms += 1;]])
cumsum_plant(zeros-counted fast_line.c [[f->count - f->zeros]] [[f->count]])
cumsum_plant(outputs-not-counted fast_line.c
             [[s->judgement->counts[CUMSUM_VERDICT_CONFORMANT] += b.f.count;]]
             [[s->judgement->counts[CUMSUM_VERDICT_CONFORMANT] += FAST_SEGMENT;]])
cumsum_plant(strict-zero-ignored fast_line.c [[s->options.strict_zero]] false)

# FLOAT32, outputs that fail: fast_line.c
cumsum_plant(fail-too-near fast_line.c [[1.08 * n * unit]] [[0.5 * n * unit]])
cumsum_plant(fail-flushed fast_line.c [[distance > 0 && l->lowest >= 0x1p-126]] [[distance > 0]])
cumsum_plant(fail-unsettled fast_line.c [[two_sum(&sum, l->low)]] [[l->low]])
cumsum_plant(fail-indeterminate fast_line.c [[l->magnitude < 0x1p126]] true)
cumsum_plant(fail-h-not-raised fast_line.c [[error * (1 + 0x1p-40) <= h]] true)
cumsum_plant(fail-exact-h-not-raised fast_line.c [[error <= h]] true)
cumsum_plant(fail-first-lost fast_line.c [[index < s->first_index]] false)
cumsum_plant(fail-doubt-lost fast_line.c [[rest == 0 ? 0 : fabs(sum) * 0x1p-52]] [[2 * fabs(rest)]])
cumsum_plant(fail-worst-lost fast_line.c [[ulps > most]] false)
cumsum_plant(fail-verdict-lost fast_line.c [[s->verdicts[index] = CUMSUM_VERDICT_FAIL;]] "")

# The loops over single outputs, of which every order may be tried: line_float.c, line_half.c
cumsum_plant(loop-short-prefix-of-eight line_float.c [[s->how.values ? REACH_MOST : REACH_ALWAYS]]
             REACH_ALWAYS)
cumsum_plant(half-loop-short-prefix-of-eight line_half.c
             [[s->how.values ? REACH_MOST : REACH_ALWAYS]] REACH_ALWAYS)

# FLOAT32, vectors: fast_segment.c
cumsum_plant(rounding-lost fast_segment.c [[narrowed(sum) != y]] [[narrowed(sum) != narrowed(sum)]])
cumsum_plant(fine-rounding-one-sided fast_segment.c
             [[(narrowed(sum - doubt) != y) | (narrowed(sum + doubt) != y)]]
             [[(narrowed(sum - doubt) != y) & (narrowed(sum + doubt) != y)]])
cumsum_plant(minus-zero-in-some-lanes fast_segment.c [[bits == 0x80000000u]]
             [[bits == 0x80000000u && i % 4 != 3]])
cumsum_plant(too-low-accepted fast_segment.c [[magnitudes(widened(output) - sum)]]
             [[widened(output) - sum]])
cumsum_plant(nan-accepted fast_segment.c [[~(distance <= near)]] [[distance > near]]
             [[~(distance <= all(s->largest * 0x1p-24) * magnitude)]]
             [[distance > all(s->largest * 0x1p-24) * magnitude]])
cumsum_plant(block-carry fast_segment.c [[a->sum = all(sum[LANES - 1]);]]
             [[a->sum = all(sum[LANES - 2]);]])
cumsum_plant(magnitude-carry fast_segment.c [[all(magnitude[LANES - 1])]] [[all(magnitude[0])]])
cumsum_plant(scan-step-lost fast_segment.c [[v += UP_1(v);]] "")
cumsum_plant(tail-lost fast_segment.c [[!any(a.refused)]]
             [[(s->count % CHUNK || !any(a.refused))]])
cumsum_plant(stride-ignored fast_segment.c [[step == (int64_t)sizeof(float) && count == CHUNK]]
             [[count == CHUNK]])
cumsum_plant(quotient-wide fast_segment.c [[distance / (unit * magnitude)]]
             [[distance / (unit * magnitude) * 0.99]])

# FLOAT32, orders: orders.c, order_float.c, fast_order.c
cumsum_plant(order-kept fast_order.c [[return !differs;]] [[return n > 8 || !differs;]])
cumsum_plant(order-ring-short fast_order.c [[(strip & (distance - 1))]] [[(strip & (distance / 2))]])
cumsum_plant(order-ring-unkept fast_order.c [[strip < distance && strip + distance < strips]]
             [[strip < distance && strip + 2 * distance < strips]])
cumsum_plant(order-round-twice fast_order.c [[round_of(4, v, before->four)]]
             [[round_of(2, v, before->four)]])
cumsum_plant(order-round-forgets fast_order.c "before[i] = last[i]" "before[i] = v[i]")
cumsum_plant(order-strict-zero orders.c
             [[s->sequential && !s->options.strict_zero && !s->last_writer]]
             [[s->sequential && !s->last_writer]])
cumsum_plant(order-part-lost order_float.c [[l.n - k < PART ? l.n - k : PART]]
             [[l.n - k < PART ? l.n - k - 1 : PART]])

# FLOAT16, orders: order_half.c, fast_half_order.c
cumsum_plant(half-lines-first fast_half_order.c "are_stored(tallies[l], y[l] + first, n, store)"
             "are_stored(tallies[0], y[0] + first, n, store)")
cumsum_plant(half-lines-rest fast_half_order.c [[few_in_sequence(sums, x, y, k, n - k, store)]]
             true)
cumsum_plant(half-lines-zero order_half.c [[(exclusive && !order_is_zero(r, judge_actual(s, 0)))]]
             false)

# FLOAT16: fast_half.c, fast_half_block.c
cumsum_plant(half-nothing-rounds fast_half.c [[magnitudes[i] > from ? terms - heavy : 0]]
             [[terms - heavy]])
cumsum_plant(half-narrow-bound fast_half.c [[make_bound(l, f, narrow_early, grows, v)]]
             [[make_bound(l, f, terms, grows, 2 * v)]])
cumsum_plant(half-growth-with-zeros fast_half.c [[b->zeros == 0]] true)
cumsum_plant(half-truncating-fits fast_half_block.c [[distance <= cut * low]]
             [[distance <= cut * 1.5]])
cumsum_plant(half-zero-ruled-out fast_half_block.c [[distance > error * high + gap + rest]]
             [[distance > error + gap * 0.5]])
cumsum_plant(half-model-forgotten fast_half.c [[models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO)]]
             false)
cumsum_plant(half-h-not-raised fast_half.c [[s->judgement->h]] INFINITY)
cumsum_plant(half-class fast_half.c [[class < CUMSUM_CLASS_LOG ? 1 : l->log2_terms]] [[INFINITY]])
cumsum_plant(half-rounding fast_half.c [[class == CUMSUM_CLASS_CORRECTLY_ROUNDED ? 1 : INFINITY]]
             INFINITY)
cumsum_plant(half-specials fast_half.c [[b->largest >= INFINITE]] false)
cumsum_plant(half-infinite-outputs fast_half.c [[b->largest_output >= LARGEST]] false)
cumsum_plant(half-strict-zero fast_half.c [[s->options.strict_zero && b->negative_zeros]] false)
cumsum_plant(half-last-writer fast_half.c [[s->last_writer]] false)
cumsum_plant(half-short-prefix fast_half.c [[l->nonzero > few]] true)
cumsum_plant(half-short-prefix-of-eight fast_half.c [[s->how.values ? REACH_MOST : REACH_ALWAYS]]
             REACH_ALWAYS)
cumsum_plant(half-sum-carry fast_half.c [[l->high = b->sum_behind;]]
             [[l->high = b->count < BLOCK ? b->sum_behind : b->sum[LANES + BLOCK - 2];]])
cumsum_plant(half-zeros-counted fast_half.c [[l->nonzero += b->count - b->zeros;]]
             [[l->nonzero += b->count;]])
cumsum_plant(half-model-lost fast_half.c [[s->judgement->models &= fits << FIRST_MODEL;]] "")
cumsum_plant(half-unsure-ignored fast_half.c [[unsure & matters]] false)
cumsum_plant(half-gap-below-power fast_half_block.c [[(magnitude & 0x3FF) == 0]] false)
cumsum_plant(half-odd-tie fast_half_block.c [[bits & 1 ? 1 - 0x1p-11f : 1]] 1)
cumsum_plant(half-tail fast_half_block.c
             [[(distance <= least(rounded, cut)) | none]]
             [[(distance <= least(rounded, cut)) | (k + 1 >= count)]])
cumsum_plant(half-scan fast_half_block.c [=[pairs[i] + pairs[i - 2]]=] [=[pairs[i]]=])
cumsum_plant(half-saturating fast_half_block.c [[under > over ? under : over]] under)
cumsum_plant(half-order-store fast_half_order.c
             [[store == CUMSUM_HALF_STORE_IEEE ? 0x477FEFFF : 0x477FE000]] 0x477FEFFF)

# Integers: line_integer.c
cumsum_plant(integer-last-of-block line_integer.c [[end - begin - 1]]
             [[(end - begin - 1) / 2 * 2]])
cumsum_plant(integer-overwritten line_integer.c [[s->last_writer]] false)
cumsum_plant(integer-first-of-block line_integer.c [[y != expected]] false)
cumsum_plant(integer-exclusive-carry line_integer.c
             [[sum = (sum + load_element(s->line_input, s->input_step, end - 1, size)) & mask;]] "")
cumsum_plant(integer-not-counted line_integer.c
             [[s->judgement->counts[CUMSUM_VERDICT_EXACT] += end - begin;]]
             [[s->judgement->counts[CUMSUM_VERDICT_EXACT] += BLOCK;]])

# Threads: judge.c, judge_state.c, orders.c
cumsum_plant(threads-counts judge_state.c [[j->counts[v] += k->counts[v];]]
             [[j->counts[v] = k->counts[v];]])
cumsum_plant(threads-models judge_state.c [[j->models &= k->models;]] [[j->models = k->models;]])
cumsum_plant(threads-class judge_state.c [[k->error_class > j->error_class]]
             [[k->error_class < j->error_class]])
cumsum_plant(threads-h-last judge_state.c [[k->h > j->h]] [[k->h >= j->h]])
cumsum_plant(threads-worst judge_state.c [[keep_finding(s, &k->worst, UINT64_MAX);]] "")
cumsum_plant(threads-first judge_state.c [[keep_finding(s, &k->first, after->first_index);]] "")
cumsum_plant(threads-line-lost judge.c [[judge_share_first(s, count, i + 1)]]
             [[judge_share_first(s, count, i + 1) - (i == 0)]])
cumsum_plant(threads-order-kept orders.c
             [[atomic_store_explicit(&all->differs, true, memory_order_relaxed);]] "")
cumsum_plant(threads-order-line-lost orders.c [[i ? judge_share_first(s, all->count, i) : 1]]
             [[judge_share_first(s, all->count, i) + 1]])
