#!/bin/bash
# SPDX-License-Identifier: MIT
# A Slurm job array: a part of the suite on each of eight nodes, and the report when all have ended.
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
# Cases that fail are the report's matter: the part has done its work.
[ $status -eq 1 ] || exit $status
