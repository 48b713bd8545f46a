import { dataFile, partsOf, type SampleCall, type SampleOptions, type SampleValues, sampleBase } from './sample.ts';

/** A call as a command. What a later call refers to is kept in a variable of the shell, by jq. */
export function curlCall(
  call: SampleCall,
  options: SampleOptions,
  kept?: { variable: string; filter: string },
): string {
  const { operation, idempotencyKey } = call;
  const { method, path } = operation;
  const parameters = Object.keys(call.parameters).length > 0 ? call.parameters : undefined;
  const query = method === 'GET' && parameters ? `?${new URLSearchParams(flatten(parameters))}` : '';
  const address = `${sampleBase}${path.replace(/\{\w+\}/, unquoted(call.id ?? ''))}${query}`;
  const key = idempotencyKey === undefined ? '$(openssl rand -hex 16)' : unquoted(idempotencyKey);
  const hasBody = method !== 'GET' && parameters !== undefined;
  const flags = [
    ...(options.dataDir === undefined ? [] : [`--cacert ${dataFile(options.dataDir, 'tls/ca.pem')}`]),
    '-H "Authorization: Bearer $TOLLGATE_API_KEY"',
    ...(method === 'GET' ? [] : [`-H "Idempotency-Key: ${key}"`]),
    // A body makes it a POST.
    // A screen cannot show it.
    ...(operation.answer.file === undefined ? [] : [`--output ${operation.id.replace('.', '-')}.pdf`]),
    ...(hasBody ? [`--json ${quoted(JSON.stringify(parameters, null, 2))}`] : []),
  ];
  const verb = method === 'GET' || (method === 'POST' && hasBody) ? '' : `-X ${method} `;
  const command = (program: string) =>
    [`${program} ${verb}${query ? `"${address}"` : address}`, ...flags].join(' \\\n  ');
  return kept === undefined ? command('curl') : `${kept.variable}=$(${command('curl -s')} | jq -r '${kept.filter}')`;
}

/** For a shell, which puts the variables in. */
function quoted(text: string): string {
  const parts = partsOf(text).map((part) =>
    typeof part === 'string' ? part.replaceAll("'", "'\\''") : `'"$${part.variable}"'`,
  );
  return `'${parts.join('')}'`;
}

function unquoted(text: string): string {
  return partsOf(text)
    .map((part) => (typeof part === 'string' ? part : `$${part.variable}`))
    .join('');
}

function flatten(query: SampleValues): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, one]): [string, string] => [`${name}[${key}]`, String(one)])
      : [[name, String(value)]],
  );
}
