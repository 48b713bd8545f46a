/** Comments, everything in which a semicolon does not end a statement, and the semicolon that does. */
const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g;

/** The statements of an SQL text, without comments and without the semicolons at their ends. */
export function statementsIn(text: string): string[] {
  const end = '\0'; // cannot occur in SQL
  const marked = text.replaceAll(token, (found) => {
    if (found === ';') return end;
    return /^(--|\/\*)/.test(found) ? ' ' : found;
  });
  const statements = marked.split(end).map((statement) => statement.trim());
  return statements.filter((statement) => statement !== '');
}
