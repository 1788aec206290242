#!/bin/bash
# SPDX-License-Identifier: MIT
# A Slurm job array: one shard of the suite on each of eight nodes, and the report after all of
# them.
#
#     job=$(sbatch --parsable slurm_array.sh)
#     sbatch --dependency=afterok:"$job" --wrap 'cumsum merge results/shard-*.jsonl --html report.html'
#
# FARM is the folder of this file; the other variables are those of sweep_shard.sh.
#SBATCH --job-name=cumsum
#SBATCH --array=1-8
#SBATCH --gpus=1
#SBATCH --requeue
status=0
sh "${FARM:-$SLURM_SUBMIT_DIR}/sweep_shard.sh" || status=$?
# Status 1: some cases fail. The shard is complete, and the report shows the failures.
[ $status -eq 1 ] || exit $status
