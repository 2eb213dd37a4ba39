// Rows that are no samples (weight 0, held out), for counters that look at all rows (keptscores.ts, dualcounter.ts).

/** The rows that are no samples, ascending; `samples` undefined: none. */
export function absentFrom(samples: Uint32Array | undefined, rows: number): Uint32Array {
  if (!samples) return new Uint32Array();
  const isSample = new Uint8Array(rows);
  for (const i of samples) isSample[i] = 1;
  return Uint32Array.from(isSample.keys()).filter((i) => isSample[i] === 0);
}
