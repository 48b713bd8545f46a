import { errorTable } from '../server/catalog.ts';

const introduction = `<!--
group: Developers
position: 60
question: Which error codes are there, and what do I do about each?
words: error codes, HTTP status, troubleshooting
-->

# Errors

<!-- Made from the errors that each folder declares by \`npm run generate\`. Edit their errors.ts, not this file. -->

Every error has the same shape:

\`\`\`json
{
  "error": {
    "code": "resource_missing",
    "message": "No such customer.",
    "param": "id",
    "type": "invalid_request_error"
  }
}
\`\`\`

\`code\` is for programs, \`message\` is for people. \`param\` names the parameter, the header or the part of the path that caused the
error; it is absent if there is none. Nested parameters are written with dots: \`metadata.order\`. Quote the \`Request-Id\` header of the
response when you report a problem. The \`Link\` header of an error points at its entry on the page \`/docs/errors\` of the server.

In the messages below, words in braces are placeholders. Some actual messages are more specific.
`;

/** One heading per code, in the order of the table. */
export function errorsMarkdown(): string {
  const entries = Object.entries(errorTable).map(
    ([code, { status, type, message, help }]) =>
      `## ${code}\n\nStatus ${status}, type \`${type}\`.\n\n> ${message}\n\n${help}\n`,
  );
  return [introduction, index(), ...entries].join('\n');
}

/** Ordered by status, because that is what a caller mostly has. */
function index(): string {
  const codes = Map.groupBy(Object.entries(errorTable), ([, row]) => `| ${row.status} | \`${row.type}\` |`);
  const rows = [...codes].map(
    ([start, rest]) => `${start} ${rest.map(([code]) => `[${code}](#${code})`).join(', ')} |`,
  );
  return `| status | type | codes |\n|---|---|---|\n${rows.sort().join('\n')}\n`;
}
