/** A name of a table, schema or role within SQL. */
export function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A text within SQL that takes no parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
