/** A request, as a command for a shell. */
export type Sent = {
  origin: string;
  method: string;
  path: string;
  parameters?: Record<string, unknown> | undefined;
  /** The key itself, or a variable of the shell that holds it. */
  key?: string;
  /** The file of the certificate authority, if it is one that curl does not know. */
  caFile?: string | undefined;
};

/** What stands for a value that is not kept, and what the log has in its place. */
const withheld = '…';
const redacted = '[redacted]';

export function curlOf({ origin, method, path, parameters = {}, key = '$TOLLGATE_KEY', caFile }: Sent): string {
  const shown = shownOf(parameters) as Record<string, unknown>;
  const hasParameters = Object.keys(shown).length > 0;
  const query = method === 'GET' && hasParameters ? `?${queryOf(shown)}` : '';
  return [
    `curl ${quoted(origin + path + query)}`,
    ...(caFile === undefined ? [] : [trusting(caFile)]),
    `-H "Authorization: Bearer ${key}"`,
    ...(method === 'DELETE' ? ['-X DELETE'] : []),
    ...(method === 'POST' && !hasParameters ? ['-X POST'] : []),
    ...(method !== 'GET' && hasParameters ? [`--json ${quoted(JSON.stringify(shown))}`] : []),
  ].join(' \\\n  ');
}

const localPlace = /^(.*)\/tls\/ca\.pem$/;

/** A command of the gateway. It says where the data are, if they are not where a command looks for them. */
export function commandFor(caFile: string | undefined, words: string): string {
  const dataDirectory = localPlace.exec(caFile ?? '')?.[1];
  const isUsual = dataDirectory === undefined || dataDirectory.endsWith('/.tollgate');
  return isUsual ? `npx tollgate ${words}` : `TOLLGATE_DATA_DIR=${quoted(dataDirectory)} npx tollgate ${words}`;
}

/** Whether some of the values are not kept. */
export function isRedacted(parameters: unknown): boolean {
  return JSON.stringify(shownOf(parameters)) !== JSON.stringify(parameters);
}

function trusting(caFile: string): string {
  return `--cacert ${quoted(caFile)}`;
}

/** The parameters, with a mark for what has to be filled in. */
export function shownOf(value: unknown): unknown {
  if (value === redacted) return withheld;
  if (Array.isArray(value)) return value.map(shownOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shownOf(one)]));
}

/** Brackets are encoded: curl would take them for a pattern. */
function queryOf(parameters: Record<string, unknown>, within = ''): string {
  return Object.entries(parameters)
    .map(([name, value]) => {
      const full = within === '' ? name : `${within}[${name}]`;
      if (typeof value === 'object' && value !== null) return queryOf(value as Record<string, unknown>, full);
      return `${encodeURIComponent(full)}=${encodeURIComponent(String(value ?? ''))}`;
    })
    .join('&');
}

/** One word for the shell, whatever it contains. */
function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
