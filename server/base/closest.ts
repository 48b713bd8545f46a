const lengthMax = 40; // longer names are not typos, and the comparison is quadratic

/** The known name that a mistyped name probably means, if one is close enough. */
export function closest(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > lengthMax) return undefined;
  const tolerance = typed.length <= 4 ? 1 : typed.length <= 8 ? 2 : 3;
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    // As many letters at least are to be inserted or deleted. Most names need no further comparison.
    if (Math.abs(name.length - typed.length) > tolerance) continue;
    const distance = editDistance(typed.toLowerCase(), name);
    if (distance <= tolerance && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** The number of letters to change, insert, delete or swap with their neighbour to turn one word into the other. */
function editDistance(a: string, b: string): number {
  let beforeThat: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1, swapped ? beforeThat[j - 2]! + 1 : Infinity));
    }
    [beforeThat, previous] = [previous, row];
  }
  return previous[b.length]!;
}
