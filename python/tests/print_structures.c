/* SPDX-License-Identifier: MIT */
/* Prints the size of each structure that python/cumsum/_library.py declares: test_texts.py. */
#include <cumsum/cuda.h>
#include <cumsum/explain.h>
#include <cumsum/judging.h>
#include <cumsum/segments.h>
#include <stdio.h>

#define SHOW(name, type) printf("%s %zu\n", #name, sizeof(type))

int main(void) {
    SHOW(Diagnostic, cumsum_diagnostic);
    SHOW(BufferTensorDesc, cumsum_buffer_tensor_desc);
    SHOW(TensorDesc, cumsum_tensor_desc);
    SHOW(OperatorDesc, cumsum_operator_desc);
    SHOW(SumsDesc, cumsum_sums_desc);
    SHOW(Numerics, cumsum_numerics);
    SHOW(PlanOptions, cumsum_plan_options);
    SHOW(Finding, cumsum_finding);
    SHOW(Judgement, cumsum_judgement);
    SHOW(SumsJudgement, cumsum_sums_judgement);
    SHOW(PiecesJudgement, cumsum_pieces_judgement);
    SHOW(Profile, cumsum_profile);
    SHOW(JudgeOptions, cumsum_judge_options);
    SHOW(Judged, cumsum_judged);
    SHOW(Segments, cumsum_segments);
    SHOW(Explanation, cumsum_explanation);
    SHOW(CudaMemory, cumsum_cuda_memory);
    return 0;
}
