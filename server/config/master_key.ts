import { MasterKeyError, parseMasterKey } from '../base/keyring.ts';
import type { Secret } from '../base/secret.ts';
import type { Setting, SettingsReader } from '../base/setting.ts';

/** A key in the variable itself, or in the file that another variable names. */
type KeySettings = { direct: Setting; file: Setting };

const current: KeySettings = {
  direct: {
    name: 'TOLLGATE_VAULT_KEY',
    defaultInWords: 'none; `serve` needs it',
    meaning:
      'The [master key](operations.md#the-master-key): 32 random bytes as base64 or hex. If it is unset, `dev` creates one in the data directory.',
  },
  file: {
    name: 'TOLLGATE_VAULT_KEY_FILE',
    meaning: 'A file that contains the master key, instead of `TOLLGATE_VAULT_KEY`.',
  },
};

const previous: KeySettings = {
  direct: {
    name: 'TOLLGATE_VAULT_KEY_PREVIOUS',
    meaning: 'A second master key that is accepted during [a change of the key](operations.md#changing-it).',
  },
  file: { name: 'TOLLGATE_VAULT_KEY_PREVIOUS_FILE', meaning: 'A file that contains that second master key.' },
};

export const masterKeySettings = [current.direct, current.file];
export const previousKeySettings = [previous.direct, previous.file];

export function readMasterKey(reader: SettingsReader): Secret<Buffer> | undefined {
  if (reader.purpose === 'serve' && masterKeySettings.every((setting) => reader.given(setting) === undefined))
    reader.problem(
      'TOLLGATE_VAULT_KEY is missing: set it, or TOLLGATE_VAULT_KEY_FILE, to 32 random bytes (openssl rand -base64 32), and keep a copy: without it the data cannot be read.',
    );
  return readKey(reader, current);
}

export function readPreviousKey(reader: SettingsReader): Secret<Buffer> | undefined {
  return readKey(reader, previous);
}

function readKey(reader: SettingsReader, settings: KeySettings): Secret<Buffer> | undefined {
  const direct = reader.given(settings.direct);
  const file = reader.file(settings.file);
  if (direct !== undefined && reader.given(settings.file) !== undefined)
    reader.problem(`${settings.direct.name} and ${settings.file.name} are both set: keep one.`);
  const text = direct ?? file;
  if (text === undefined) return undefined;
  try {
    return parseMasterKey(text);
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    const { name } = direct === undefined ? settings.file : settings.direct;
    reader.problem(`${name} is not a key: ${error.message}.`);
    return undefined;
  }
}
