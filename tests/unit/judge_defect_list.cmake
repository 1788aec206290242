# SPDX-License-Identifier: MIT
# The planted defects (judge_defects.cmake): a name, a file, the right text, and the wrong one. Some
# kinds of names mean something: with `threads-`, three threads judge; with `pieces-`, the lines are
# judged in pieces; with `merged-`, each piece has a judgement, and they are merged; what begins with `right-` is
# no defect, and nothing may come of it; `rule-` is a rule of doubt that accuses too much or too
# little, for test_oracle_doubt_rules; `sum-` is for test_sum_defects, and `levels-` for
# test_level_defects.

# Other instruction sets.
cumsum_plant(right-avx2 fast/fast_choice.h [[__builtin_cpu_supports("avx512f")]] false)
cumsum_plant(right-baseline fast/fast_choice.h
             [[__builtin_cpu_supports("avx512vl")]] false [[__builtin_cpu_supports("avx2")]] false)

# Lines that are staged: staged_lines.c
cumsum_plant(staged-transpose staged_lines.c [[load_words(from + 3 * step)]] c)
cumsum_plant(staged-size staged_lines.c [[copy_rows(to, pitch, far, 0, 2);]]
             [[copy_rows(to, pitch, far, 1, 2);]])
cumsum_plant(staged-past-the-last staged_lines.c [[line < staged->first + staged->held]]
             [[line <= staged->first + staged->held]])
cumsum_plant(threads-staged-room judge_steps.h
             [[(i + 1) * 2 * s->staged.most * s->staged.pitch]] [[s->staged.pitch]])
cumsum_plant(staged-room-is-old judge_steps.h [[copy->staged.held = 0;]] "")

# FLOAT32, segments: fast/fast_line.c
cumsum_plant(bound-wide fast/fast_line.c [[largest * (1 - 0x1p-50)]] [[largest * (1 + 0x1p-22)]])
cumsum_plant(margin-forgotten fast/fast_line.c
             [[largest * (1 - 0x1p-20) - (f->grids == FAST_TWO_GRIDS ? 0x1p-11 : 0x1p-50)]] largest
             [[largest < SMALL_ERROR]] false)
cumsum_plant(h-not-raised fast/fast_line.c [[raises && raise_largest(s, l, &b)]] false)
cumsum_plant(class-not-lost fast/fast_line.c [[within < limit ? within : limit]] within)
cumsum_plant(verdict-ignored fast/fast_line.c [[within < limit ? within : limit]] limit)
cumsum_plant(rounding-not-asked fast/fast_line.c
             [[b->f.rounded = rounded && (grids != FAST_ONE_GRID || largest > 0);]]
             [[b->f.rounded = rounded && grids != FAST_ONE_GRID;]])
cumsum_plant(fine-rounding-not-asked fast/fast_line.c [[(grids != FAST_ONE_GRID || largest > 0)]]
             [[(grids == FAST_ONE_GRID && largest > 0)]])
cumsum_plant(exclusive-place fast/fast_line.c [[begin + s->problem.exclusive]] begin)
cumsum_plant(off-grid-ignored fast/fast_segment.c [[any(a->off_grid)]]
             [[s->grids != FAST_ONE_GRID && any(a->off_grid)]])
cumsum_plant(magnitude-off-grid fast/fast_line.c [[!(f->magnitude <= most)]] false)
cumsum_plant(short-prefix fast/fast_line.c [[l->nonzero > short_prefix]] [[l->nonzero > 1]])
cumsum_plant(short-prefix-of-eight fast/fast_line.c [[judge_short_prefix(s)]]
             REACH_ALWAYS)
cumsum_plant(specials-continued fast/fast_line.c [[!s->last_writer && !l->special]]
             [[!s->last_writer]])
cumsum_plant(rest-lost fast/fast_line.c
             [[join(f->sum, f->sum_rest, f->sum_remainder, &l->high, &l->low);]]
             [[join(f->sum, 0, f->sum_remainder, &l->high, &l->low);]])
cumsum_plant(magnitude-rest-lost fast/fast_line.c
             [[join(f->magnitude, f->magnitude_rest, f->magnitude_remainder, &l->magnitude, &l->magnitude_low);]]
             [[join(f->magnitude, 0, f->magnitude_remainder, &l->magnitude, &l->magnitude_low);]])
cumsum_plant(h-group-place fast/fast_line.c [[line_sum_count(&at, FAST_GROUP * i);]] "")
cumsum_plant(terms-not-counted fast/fast_line.c [[line_sum_count(l, f->count);]] [[line_sum_count(l, 1);]])
cumsum_plant(zeros-counted fast/fast_line.c [[f->count - f->zeros]] [[f->count]])
cumsum_plant(outputs-not-counted fast/fast_line.c
             [[s->judgement->counts[CUMSUM_VERDICT_CONFORMANT] += b.f.count;]]
             [[s->judgement->counts[CUMSUM_VERDICT_CONFORMANT] += FAST_SEGMENT;]])
cumsum_plant(strict-zero-ignored fast/fast_line.c [[s->options.strict_zero]] false)

cumsum_plant(remainder-lost fast/fast_line.c [[two_sum(high, rest) + remainder]] [[two_sum(high, rest)]])
cumsum_plant(remainder-before-lost fast/fast_line.c [[(lost - fine) + (low - fine_low)]] [[lost - fine]])
cumsum_plant(fine-rest-before-lost fast/fast_line.c [[fine + fine_low]] fine)
cumsum_plant(remainder-of-group-lost fast/fast_line.c [=[groups.sum_remainder[i]]=] 0)

# Lines side by side: fast/fast_lines.c, fast/fast_lanes.c, fast/fast_rows.h
cumsum_plant(lines-not-counted fast/fast_lines.c [[accepted * s->problem.line_length]] accepted)
cumsum_plant(lines-overwritten fast/fast_lines.c [[s->last_writer]] false)
cumsum_plant(lines-class fast/fast_lines.c [[cumsum_judge_class_limit(class, 1) - f->limit]]
             [[2 * (cumsum_judge_class_limit(class, 1) - f->limit)]])
cumsum_plant(lines-class-lost fast/fast_lines.c
             [[f->rounded = class == CUMSUM_CLASS_CORRECTLY_ROUNDED;]] [[f->rounded = false;]])
cumsum_plant(lines-strict-zero fast/fast_lines.c [[s->options.strict_zero]] false)
cumsum_plant(lines-exclusive fast/fast_lines.c [[s->problem.exclusive * s->actual_step]] 0)
cumsum_plant(lines-zero-model fast/fast_lines.c
             [[models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO)]] false)
cumsum_plant(lines-short-prefixes fast/fast_lines.c [[judged += cumsum_judge_short_prefixes(s, judge_short_prefix(s));]] "")
cumsum_plant(lines-prefixes-twice fast/fast_lines.c
             [[has_models ? judge_prefixes(s, line, accepted) : 0]]
             [[has_models ? judge_prefixes(s, line, accepted) & 0 : 0]])
cumsum_plant(lanes-order fast/fast_lanes.c
             [[(kind.halves ? rounded_to_half(a->running) : a->running) != output]]
             [[a->running != a->running]])
cumsum_plant(lanes-product-wide fast/fast_lanes.c [[(1 - 0x1p-50)]] [[(1 + 0x1p-20)]])
cumsum_plant(lanes-errors fast/fast_lanes.c [=[errors->refused |= error > all(limits->most[limit_of(k + row)]);]=] "")
cumsum_plant(lanes-error-lost fast/fast_lanes.c [[errors->largest[lane] > f->h]]
             [[errors->largest[lane] > f->h * (1 + 0x1p-20)]])
cumsum_plant(lanes-error-place fast/fast_lanes.c
             [=[errors->place[lane] + f->exclusive]=] [=[errors->place[lane]]=])
cumsum_plant(lanes-rollback fast/fast_lanes.c [[magnitude -= magnitudes(widened(load_row(x[row])));]] "")
cumsum_plant(lanes-far fast/fast_lanes.c [[facts->farthest > before * harmless(errors, limits, limit)]]
             [[facts->farthest > before * all(INFINITY)]])
cumsum_plant(lanes-rounding-lost fast/fast_lanes.c [[narrowed(halves ? rounded_once_to_half(sum) : sum) != output]]
             [[output != output]])
cumsum_plant(lanes-rounded-twice fast/fast_lanes.c
             [[narrowed(halves ? rounded_once_to_half(sum) : sum)]]
             [[(halves ? rounded_to_half(narrowed(sum)) : narrowed(sum))]])
cumsum_plant(lanes-minus-zero fast/fast_lanes.c [[facts->wrong |= is_minus_zero(output);]] "")
cumsum_plant(lanes-first-zero fast/fast_lanes.c [[load_row(y[0]) != 0]] [[load_row(y[0]) != load_row(y[0])]])
cumsum_plant(lanes-first-minus-zero fast/fast_lanes.c [[facts.wrong |= is_minus_zero(load_row(y[0]));]] "")
cumsum_plant(lanes-rounded-sums fast/fast_lanes.c [[refused | (least < most)]] [[refused]])
cumsum_plant(lanes-infinite fast/fast_lanes.c [[(last * 0 != 0)]] [[(last != last)]])
cumsum_plant(lanes-large-halves fast/fast_lanes.c [[facts->wrong | large]] [[facts->wrong]])
cumsum_plant(lanes-log fast/fast_lanes.c [[return ceil_log2(k + 1);]] [[return ceil_log2(2 * k + 1);]])
cumsum_plant(lanes-last-ones fast/fast_lanes.c [[line < f->lines]]
             [[line + LANES <= f->lines]])
cumsum_plant(lanes-one-term fast/fast_lanes.c [[(x != y) | (x * 0 != 0)]] [[x != y]])
cumsum_plant(lanes-one-minus-zero fast/fast_lanes.c [[!f->exclusive && !f->no_minus_zero]] [[!f->exclusive]])
cumsum_plant(lanes-one-half fast/fast_lanes.c [[((x & 0x7FFF) >= 0x7BFF)]] [[((x & 0x7FFF) > 0x7FFE)]])
cumsum_plant(rows-sign fast/fast_rows.h [[0x8FFFE000u]] [[0x0FFFE000u]])

# FLOAT32, outputs that fail: fast/fast_line.c
cumsum_plant(fail-too-near fast/fast_line.c [[1.08 * n * unit]] [[0.5 * n * unit]])
cumsum_plant(fail-flushed fast/fast_line.c [[distance > 0 && l->lowest >= 0x1p-126]] [[distance > 0]])
cumsum_plant(fail-unsettled fast/fast_line.c [[two_sum(&sum, l->low)]] [[l->low]])
cumsum_plant(fail-indeterminate fast/fast_line.c [[l->magnitude < 0x1p126]] true)
cumsum_plant(fail-h-not-raised fast/fast_line.c [[error * (1 + 0x1p-40) <= h]] true)
cumsum_plant(fail-exact-h-not-raised fast/fast_line.c [[error <= h]] true)
cumsum_plant(fail-first-lost fast/fast_line.c [[index < s->first_index]] false)
cumsum_plant(fail-doubt-lost fast/fast_line.c [[rest == 0 ? 0 : fabs(sum) * 0x1p-52]] [[2 * fabs(rest)]])
cumsum_plant(fail-worst-lost fast/fast_line.c [[ulps > most]] false)
cumsum_plant(fail-verdict-lost fast/fast_line.c [[s->verdicts[index] = CUMSUM_VERDICT_FAIL;]] "")

# The loops over single outputs, of which every order may be tried: line_float.c, line_16_bit.c
cumsum_plant(loop-short-prefix-of-eight line_float.c
             [[judge_short_prefix(s)]] REACH_ALWAYS)
cumsum_plant(half-loop-short-prefix-of-eight line_16_bit.c
             [[judge_short_prefix(s)]] REACH_ALWAYS)

# Lines that are surely without a doubt: doubt/doubt_watch.h
cumsum_plant(watch-jumps-ignored doubt/doubt_watch.h [[WATCH_JUMP * unit]]
             [[1e9 * unit]])
cumsum_plant(watch-neighbours-wide doubt/doubt_watch.h
             [[range * (line_sum_earlier_roundings(l, heavy) + 1) * v]] [[range]])

cumsum_plant(watch-block-ignored fast/fast_binary16_block.c [[!is_any_above(away, watch->level)]] true)
cumsum_plant(half-far-ignored fast/fast_binary16_block.c [[far = larger_floats(far, size);]] "")
cumsum_plant(half-bits-forgotten fast/fast_binary16_block.c
             [[any |= (truths)(magnitudes(value) + all(UNITS_AT));]] "")
cumsum_plant(half-parts fast/fast_binary16_block.c [=[b->starts[j] + sum[j]]=] [=[b->starts[0] + sum[j]]=])
cumsum_plant(vectors-short-parts fast/fast_binary16_block.c [[part < ROWS ? part : ROWS]] ROWS)
cumsum_plant(watch-each-ignored fast/fast_binary16.c [[watch_each(w, b, *before, &how)]] true)

# Power: doubt/doubt_power.c, fast/fast_terms.c
cumsum_plant(power-range fast/fast_terms.c [[keep_least(&bottom, &running);]] "")
cumsum_plant(threads-power doubt/doubt_power.c [[power->exact &= shares[i].power.exact;]] "")

# The rules of doubt: doubt/doubt_line.c
cumsum_plant(rule-explains-all doubt/doubt_line.c [[DOUBT_SEAM_REST * o->unit]] [[1e9 * o->unit]])
cumsum_plant(rule-explains-nothing doubt/doubt_line.c [[DOUBT_SEAM_STEP * o->unit]] INFINITY)
cumsum_plant(rule-explains-no-drift doubt/doubt_line.c [[return (c.sum - c.high) - c.low;]]
             [[return 0;]])
cumsum_plant(rule-jumps-wide doubt/doubt_line.c [[seam ? DOUBT_SEAM_JUMP : DOUBT_JUMP]]
             [[4 * DOUBT_SEAM_JUMP]])

# FLOAT32, vectors: fast/fast_segment.c
cumsum_plant(rounding-lost fast/fast_segment.c [[narrowed(sum) != y]] [[narrowed(sum) != narrowed(sum)]])
cumsum_plant(fine-rounding-one-sided fast/fast_segment.c
             [[(narrowed(sum - doubt) != y) | (narrowed(sum + doubt) != y)]]
             [[(narrowed(sum - doubt) != y) & (narrowed(sum + doubt) != y)]])
cumsum_plant(minus-zero-in-some-lanes fast/fast_segment.c [[bits == 0x80000000u]]
             [[bits == 0x80000000u && i % 4 != 3]])
cumsum_plant(too-low-accepted fast/fast_segment.c [[larger_lanes(a->most, -a->least) <= near]]
             [[a->most <= near]])
cumsum_plant(nan-accepted fast/fast_segment.c 
             [[a.refused |= ~(magnitudes(a.total) <= all(0x1p1000));]] ""
             [[~(magnitudes(error) <= all(s->largest * 0x1p-24) * magnitude)]]
             [[magnitudes(error) > all(s->largest * 0x1p-24) * magnitude]])
cumsum_plant(block-carry fast/fast_segment.c [[a->sum = all(sum[LANES - 1]);]]
             [[a->sum = all(sum[LANES - 2]);]])
cumsum_plant(magnitude-carry fast/fast_segment.c [[all(magnitude[LANES - 1])]] [[all(magnitude[0])]])
cumsum_plant(scan-step-lost fast/fast_segment.c [[v += UP_1(v);]] "")
cumsum_plant(tail-lost fast/fast_segment.c [[!any(a.refused)]]
             [[(s->count % CHUNK || !any(a.refused))]])
cumsum_plant(stride-ignored fast/fast_segment.c [[step == (int64_t)sizeof(float) && count == CHUNK]]
             [[count == CHUNK]])
cumsum_plant(quotient-wide fast/fast_segment.c [[magnitudes(error) / (unit * magnitude)]]
             [[magnitudes(error) / (unit * magnitude) * 0.99]])

cumsum_plant(vectors-steps-start fast/fast_segment.c [[(double)*room - sum]] 0)
cumsum_plant(steps-not-added fast/fast_segment.c [[error += total(farthest);]] "")
cumsum_plant(steps-not-sequential fast/fast_segment.c [[before + term != output]]
             [[before * 0 != before * 0]])
cumsum_plant(vectors-steps-jumps fast/fast_segment.c
             [[s->jumps = 2 * largest_of(deviation) + lost;]] [[s->jumps = 0;]])
cumsum_plant(steps-minus-zero fast/fast_segment.c [[refused |= has_minus_zero(y);]] "")
cumsum_plant(steps-rest-lost fast/fast_segment.c [[s->sum_rest += total(a.sum_rest);]] "")
cumsum_plant(vectors-rest-of-output fast/fast_segment.c [[error -= a->sum_rest;]] "")
cumsum_plant(remainder-of-term-lost fast/fast_segment.c [[a->sum_remainder += remainder;]] "")
cumsum_plant(vectors-off-finest fast/fast_segment.c
             [[a->off_grid |= on_grid(remainder, s->finest_grid) != remainder;]] "")
cumsum_plant(vectors-remainders fast/fast_segment.c [[doubt += remainders;]] "")

# FLOAT32, orders: orders.c, order_float.c, fast/fast_order.c
cumsum_plant(order-kept fast/fast_order.c [[return !differs;]] [[return n > 8 || !differs;]])
cumsum_plant(order-ring-short fast/fast_order.c [[(strip & (distance - 1))]] [[(strip & (distance / 2))]])
cumsum_plant(order-ring-unkept fast/fast_order.c [[strip < distance && strip + distance < strips]]
             [[strip < distance && strip + 2 * distance < strips]])
cumsum_plant(order-round-twice fast/fast_order.c [[round_of(4, v, before->four)]]
             [[round_of(2, v, before->four)]])
cumsum_plant(order-round-forgets fast/fast_order.c "before[i] = last[i]" "before[i] = v[i]")
cumsum_plant(order-strict-zero orders/orders.c
             [[s->sequential && !s->options.strict_zero && !s->last_writer]]
             [[s->sequential && !s->last_writer]])
cumsum_plant(order-part-lost orders/order_float.c [[l.n - k < PART ? l.n - k : PART]]
             [[l.n - k < PART ? l.n - k - 1 : PART]])

cumsum_plant(order-near-counted-twice orders/order_each.c [[*r->near = before;]] "")
cumsum_plant(order-near-place-kept orders/order_each.c [[r->first_index = first_index;]] "")
cumsum_plant(order-alike-flushed orders/orders.c [[x && x < least]] false)

# Composed orders: order_trial.c, order_scan.c, orders.c
cumsum_plant(levels-stores-alike orders/orders.c [[y >= f->infinity - 1]] false)
cumsum_plant(levels-totals-kept orders/order_trial.c [[!cumsum_order_same(&unit, &t->unit)]]
             false)
cumsum_plant(levels-wrong-alike orders/order_trial.c [[t->right < 3 * unit]] true)
cumsum_plant(levels-total-before orders/order_trial.c [=[t->totals[last - 1]]=]
             [=[t->totals[last - 2]]=])
cumsum_plant(levels-carry-lost orders/order_scan.c [[b || first]] [[b != 0]])
cumsum_plant(levels-first-lost orders/order_scan.c [[*--v = *first;]] [[*--v = 0;]])
cumsum_plant(levels-threads-lost orders/order_scan.c
             [[thread_total(&sums, values + k * size, size)]] [=[values[k * size]]=])

# FLOAT16, orders: order_binary16.c, fast/fast_binary16_order.c
cumsum_plant(half-lines-singly judge.c [[s->accepted_from = line + 1;]] "")
cumsum_plant(threads-half-lines judge_state.c [[s->accepted_from = after->accepted_from;]] "")
cumsum_plant(half-lines-store orders/order_binary16.c
             [[r->match.half_store == CUMSUM_HALF_STORE_TOWARD_ZERO]] false)

# FLOAT16: fast_binary16.c, fast/fast_binary16_block.c
cumsum_plant(half-nothing-rounds fast/fast_binary16.c [[magnitudes[i] > from ? terms - heavy : 0]]
             [[terms - heavy]])
cumsum_plant(half-narrow-bound fast/fast_binary16.c [[make_bound(l, f, narrow_early, grows, v)]]
             [[make_bound(l, f, terms, grows, 2 * v)]])
cumsum_plant(half-growth-with-zeros fast/fast_binary16.c [[b->zeros == 0]] true)
cumsum_plant(half-truncating-fits fast/fast_binary16_block.c [[distance <= cut * low]]
             [[distance <= cut * 1.5]])
cumsum_plant(half-zero-ruled-out fast/fast_binary16_block.c [[distance > error * high + gap + rest]]
             [[distance > error + gap * 0.5]])
cumsum_plant(half-model-forgotten fast/fast_binary16.c [[models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO)]]
             false)
cumsum_plant(half-h-not-raised fast/fast_binary16.c [[s->judgement->h]] INFINITY)
cumsum_plant(half-class fast/fast_binary16.c [[class < CUMSUM_CLASS_LOG ? 1 : l->log2_terms]] [[INFINITY]])
cumsum_plant(half-rounding fast/fast_binary16.c [[class == CUMSUM_CLASS_CORRECTLY_ROUNDED ? 1 : INFINITY]]
             INFINITY)
cumsum_plant(half-specials fast/fast_binary16.c [[b->largest >= INFINITE]] false)
cumsum_plant(half-infinite-outputs fast/fast_binary16.c [[b->largest_output >= LARGEST]] false)
cumsum_plant(half-truncated-overflow fast/fast_binary16.c [[b->sum[FRONT + i - b->shift] * sign >= 65536]]
             [[b->sum[FRONT + i - b->shift] * sign >= 60000]])
cumsum_plant(half-saturating-kept fast/fast_binary16.c
             [[s->judgement->models &= ~MODEL(CUMSUM_VERDICT_BINARY16_SATURATING);]] "")
cumsum_plant(half-strict-zero fast/fast_binary16.c [[s->options.strict_zero && b->negative_zeros]] false)
cumsum_plant(half-last-writer fast/fast_binary16.c [[s->last_writer]] false)
cumsum_plant(half-short-prefix fast/fast_binary16.c [[l->nonzero > few]] true)
cumsum_plant(half-short-prefix-of-eight fast/fast_binary16.c [[judge_short_prefix(s)]]
             REACH_ALWAYS)
cumsum_plant(half-sum-carry fast/fast_binary16.c [[l->high = b->sum_behind;]]
             [[l->high = b->count < BLOCK ? b->sum_behind : b->starts[b->parts - 1];]])
cumsum_plant(half-last-term fast/fast_binary16_block.c [[b->sum_behind += last;]] "")
cumsum_plant(half-last-term-twice fast/fast_binary16_block.c [[room[b->count] = 0;]] "")
cumsum_plant(half-zeros-counted fast/fast_binary16.c [[l->nonzero += b->count - b->zeros;]]
             [[l->nonzero += b->count;]])
cumsum_plant(half-model-lost fast/fast_binary16.c [[s->judgement->models &= fits << FIRST_MODEL;]] "")
cumsum_plant(half-unsure-ignored fast/fast_binary16.c [[unsure & matters]] false)
cumsum_plant(half-gap-below-power fast/fast_binary16_block.c [[(magnitude & 0x3FF) == 0]] false)
cumsum_plant(half-odd-tie fast/fast_binary16_block.c [[bits & 1 ? 1 - 0x1p-11f : 1]] 1)
cumsum_plant(half-tail fast/fast_binary16_block.c
             [[(distance <= least_of(rounded, cut)) | none]]
             [[(distance <= least_of(rounded, cut)) | (k + 1 >= count)]])
cumsum_plant(half-scan fast/fast_binary16_block.c [=[pairs[i] + pairs[i - 2]]=] [=[pairs[i]]=])
cumsum_plant(half-saturating fast/fast_binary16_block.c [[under > over ? under : over]] under)
cumsum_plant(half-order-store fast/fast_binary16_order.c
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

# Threads: judge.c, judge_state.c, orders/orders.c
cumsum_plant(threads-counts judge_state.c [[j->counts[v] += k->counts[v];]]
             [[j->counts[v] = k->counts[v];]])
cumsum_plant(threads-models judge_state.c [[j->models &= k->models;]] [[j->models = k->models;]])
cumsum_plant(threads-class judge_state.c [[k->error_class > j->error_class]]
             [[k->error_class < j->error_class]])
cumsum_plant(threads-h-last judge_state.c [[k->h > j->h]] [[k->h >= j->h]])
cumsum_plant(threads-worst judge_state.c
             [[keep_finding(s, &k->worst, s->whole_length ? after->worst_index : UINT64_MAX,
                 after->worst_rank);]] "")
cumsum_plant(threads-first judge_state.c
             [[keep_finding(s, &k->first, after->first_index, UINT64_MAX);]] "")
cumsum_plant(threads-line-lost judge.c [[judge_share_first(s, count, i + 1)]]
             [[judge_share_first(s, count, i + 1) - (i == 0)]])
cumsum_plant(threads-order-kept orders/orders.c
             [[atomic_store_explicit(&all->differs, true, memory_order_relaxed);]] "")
cumsum_plant(threads-order-line-lost orders/orders.c [[i ? judge_share_first(s, all->count, i) : 1]]
             [[judge_share_first(s, all->count, i) + 1]])

# Sums and means: sums/
cumsum_plant(sum-last-term sums/sum_line.h [[s->problem.line_length - 1]]
             [[s->problem.line_length - (s->problem.line_length > 1 ? 2 : 1)]])
cumsum_plant(sum-outer-axes judge_state.c "rest % sums->sizes[d]" "rest % sums->sizes[0]")
cumsum_plant(sum-axes-made-one sums/judge_sums.c [[sums->strides[last] == stride * size]] true)
cumsum_plant(sum-output-layout sums/judge_sums.c [[read_strides(output, p->output_strides);]]
             [[read_strides(input, p->output_strides);]])
cumsum_plant(sum-no-bound rule/rule.c [[roundings > 1 ? roundings - 1 : 0]] 0)
cumsum_plant(sum-mean-count sums/rule_mean.c [[isfinite(n) ? sum / n : NAN]]
             [[isfinite(n) ? sum / (n + 1) : NAN]])
cumsum_plant(sum-mean-not-stored sums/rule_mean.c [[(k & 4) != 0]] false)
cumsum_plant(sum-mean-not-wider sums/rule_mean.c [[(k & 2) != 0]] false)
cumsum_plant(sum-mean-nan sums/rule_mean.c
             [[return isnan(mean) && format_is_nan(m->format, m->y);]] [[return true;]])
cumsum_plant(sum-mean-above sums/rule_mean.c [[format_rank(m->format, m->y) + above]]
             [[format_rank(m->format, m->y) + 1]])
cumsum_plant(sum-mean-nearest sums/rule_mean.c [[format_rank(f, sum) < least]] false)
cumsum_plant(sum-mean-not-reached sums/rule_mean.c
             [[least > most && !format_is_nan(f, m->y)]] false)
cumsum_plant(sum-mean-binary32 sums/rule_mean.c [[format_rank(f, range.lower) <= most]] true)
cumsum_plant(sum-mean-flush sums/rule_mean.c
             [[cumsum_reach_flushes(mean, model->additions) ? 0 : mean]] mean)
cumsum_plant(sum-mean-divisor sums/rule_mean.c [[sums.divisor = 1;]] "")
cumsum_plant(sum-mean-forms sums/rule_mean.c [[*forms = m.forms | m.possible_forms;]]
             [[*forms = 0;]])
cumsum_plant(sum-mean-terms sums/rule_mean.c [[(double)(float)n]] [[(double)n + 1]])

# Pieces: judging.c and what it asks of the loops
cumsum_plant(pieces-nan-lost judging.c [[line->exact = s->exact;]]
             [[line->exact = s->exact; line->exact.nan = false;]])
cumsum_plant(pieces-sum-dropped line_float.c [[progress->sum = l;]] "")
cumsum_plant(pieces-group-place line_float.c [[(s->offset + position + 1) % FAST_GROUP]]
             [[(position + 1) % FAST_GROUP]])
cumsum_plant(pieces-integers-dropped line_integer.c [[progress->integers = sum;]] "")
cumsum_plant(pieces-first-of-equals judge_state.c [[f->ulps == judge_worst_ulps(s) && rank < s->worst_rank]]
             false)
cumsum_plant(pieces-last-output judging.c [[line->last_output = judge_actual(s, last);]]
             [[line->last_output = 0;]])
cumsum_plant(pieces-place judge_state.c [[place_in(s, s->offset + position, length, indices)]]
             [[place_in(s, position, length, indices)]])
cumsum_plant(pieces-largest-forgotten judging.c [[s->worst_position != UINT64_MAX || begins]] begins)
cumsum_plant(pieces-term-lost line_float.c
             [[add_float_term(s, &l, f, terms, REACH_MOST);]] "")

# A jump that stays: doubt/doubt_line.c.
cumsum_plant(jump-never-stays doubt/doubt_line.c [[length - p->position > DOUBT_STAYS]] false)

# Doubt in pieces: doubt/doubt_pieces.c. A lost carry is missed, or a right sum accused.
cumsum_plant(pieces-doubt-none judging.c
             [[cumsum_doubt_end(s, judging->doubts, judging->position, &found)]] false)
cumsum_plant(pieces-doubt-last-forgotten doubt/doubt_pieces.c
             [[line->models[i].last = passes[i].scan.last;]] "")
cumsum_plant(pieces-doubt-group-place doubt/doubt_pieces.c [[doubt_add_term(&line->terms, f, s->offset + k, bits);]]
             [[doubt_add_term(&line->terms, f, k, bits);]])
cumsum_plant(pieces-doubt-sequential doubt/doubt_pieces.c
             [[sequential_orders(s, line, judge_actual(s, k))]] [[line->sequential]])
cumsum_plant(pieces-doubt-any-model doubt/doubt_pieces.c
             [[cumsum_doubt_is_weaker(&said.found.shown, &weakest.found.shown)]] false)
cumsum_plant(pieces-doubt-counts doubt/doubt_pieces.c [[s->judgement->counts[v] -= moved;]] "")
cumsum_plant(pieces-doubt-failing judging.c [=[!judging->doubts || j->counts[CUMSUM_VERDICT_FAIL]]=]
             [[!judging->doubts]])

# Judgements that are skipped over, saved and merged: judging.c, judging_bytes.c
cumsum_plant(merged-seam-not-compared judging.c
             [[judging->sequential && follows(s, line, after)]] [[judging->sequential]])
cumsum_plant(merged-largest-of-equals judging.c [[b->error_rank < a->error_rank]] false)
cumsum_plant(merged-first-forgotten judging.c [[merged.first_term = line->first_term;]]
             [[merged.first_term = 0;]])
cumsum_plant(merged-skip-judges judging.c [[s->last_writer = &another_line;]] "")
cumsum_plant(merged-class judge_state.c [[k->error_class > j->error_class]] false)
cumsum_plant(merged-worst-place judge_state.c
             [[s->whole_length ? after->worst_index : UINT64_MAX]] UINT64_MAX)
cumsum_plant(merged-worst-rank judge_state.c [[after->worst_rank]] 0)
cumsum_plant(merged-exact-lost judging_bytes.c [[pass_wide(w, &p->magnitude);]] "")
cumsum_plant(merged-count-lost judging_bytes.c [[pass_u64(w, &l->nonzero);]] "")
cumsum_plant(merged-doubt-terms doubt/doubt_pieces.c [[line->terms = after->terms;]] "")
cumsum_plant(merged-doubt-first-jump doubt/doubt_pieces.c
             [[cumsum_doubt_jump(&m->last, &h->output);]] "")
cumsum_plant(merged-doubt-places doubt/doubt_pieces.c [[m->evidence.places[i] = *other;]] "")
cumsum_plant(merged-doubt-marks doubt/doubt_pieces.c [[m->marked[i][v] += after.marked[i][v];]] "")
cumsum_plant(merged-doubt-sequential doubt/doubt_pieces.c
             [[line->sequential &= after->sequential;]] "")
cumsum_plant(merged-doubt-error-before doubt/doubt_pieces.c
             [[h->output.before = m->last.error;]] "")
cumsum_plant(merged-few-lost judging_bytes.c [[pass_double(w, &l->few[i]);]] "")
