const lengthMax = 40; // longer names are not typing errors of ours, and the comparison is quadratic

/** The name that a typing error was probably meant to be, if one is near enough. */
export function closest(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > lengthMax) return undefined;
  const tolerance = typed.length <= 4 ? 1 : typed.length <= 8 ? 2 : 3;
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(typed.toLowerCase(), name);
    if (distance <= tolerance && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** How many letters must be changed, added, dropped or swapped with their neighbour to get from one word to the other. */
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
