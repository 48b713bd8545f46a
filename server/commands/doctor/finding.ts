/** What is checked: the same names in the JSON of every run, and in docs/commands.md. */
export const checkNames = [
  'node',
  'settings',
  'data_directory',
  'key_files',
  'tls',
  'public_url',
  'database',
  'role',
  'schema',
  'nodes',
  'moves',
  'places',
  'connections',
  'vault_key',
  'search_index',
  'fonts',
  'mail',
  'processors',
  'port',
  'metrics_port',
  'checkout',
] as const;
type CheckName = (typeof checkNames)[number];

export type Finding = { name: CheckName; state: 'ok' | 'wrong'; message: string };

export const fine = (name: CheckName, message: string): Finding => ({ name, state: 'ok', message });
/** The message says what is wrong, and what to do. */
export const wrong = (name: CheckName, message: string): Finding => ({ name, state: 'wrong', message });
