#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh OUT WORK: makes the archive for npm, unpacks it as npm would, and uses it by its name.
set -eu
out=$1 work=$2
command -v npm >/dev/null || { echo "skipped: there is no npm" && exit 77; }
rm -rf "$work"
mkdir -p "$work/node_modules"
npm pack --silent --pack-destination "$work" "$out/package"
tar xzf "$work"/cumsum-directml-*.tgz -C "$work/node_modules"
mv "$work/node_modules/package" "$work/node_modules/cumsum-directml"
cat >"$work/use.mjs" <<'JS'
import { load } from 'cumsum-directml';

const c = await load();
const x = Float32Array.of(1, 2, 3, 4);
const y = c.cumsum(x, { exclusive: true });
console.log(...y, (await c.judge(x, y, { exclusive: true })).status);
JS
said=$(node "$work/use.mjs")
echo "$said"
[ "$said" = "0 1 3 6 PASS" ]
