/** What an update sends: the texts that have changed, and null for those to remove. */
export function changedFields<Name extends string>(
  before: Readonly<Partial<Record<Name, string>>>,
  after: Readonly<Record<Name, string>>,
): Partial<Record<Name, string | null>> {
  const names = (Object.keys(after) as Name[]).filter((name) => (before[name] ?? '') !== after[name].trim());
  return Object.fromEntries(names.map((name) => [name, after[name].trim() || null])) as never;
}
