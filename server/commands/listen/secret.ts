import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Secret } from '../../base/secret.ts';
import { userConfigFolder } from '../../config.ts';
import { writeOnce } from '../../database.ts';
import { newSigningSecret } from '../../outbox/signature.ts';
import { readSource, sourceSyntax, withQuestions } from '../secret_sources.ts';
import { UsageError } from '../usage.ts';

const secretSyntax = /^whsec_[A-Za-z0-9+/_-]{8,100}={0,2}$/;

/** The secret that `--secret` names. That of live mode is no argument, which every user of the machine could see. */
export async function chosenSecret({ secret, live }: { secret?: string; live?: boolean }): Promise<Secret | undefined> {
  if (secret === undefined) return undefined;
  const isSource = live || sourceSyntax.test(secret);
  const text = isSource ? await withQuestions((ask) => readSource('--secret', secret, ask)) : secret;
  if (secretSyntax.test(text)) return new Secret(text);
  throw new UsageError('--secret takes a signing secret, which begins with whsec_; or @file, env:NAME or - to read it');
}

export const secretFile = join(userConfigFolder(), 'tollgate', 'listen_secret');

/** The same on every run of this user, so that the setting of the program stays valid. */
export function keptSecret(file = secretFile): Secret {
  try {
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeOnce(file, `${newSigningSecret().open()}\n`);
    }
    const text = readFileSync(file, 'utf8').trim();
    if (secretSyntax.test(text)) return new Secret(text);
    throw new UsageError(`${file} has no signing secret: remove it, and a new one is made; or give --secret`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    console.error(
      `The signing secret cannot be kept in ${file} (${(error as Error).message}): it is for this run only.`,
    );
    return newSigningSecret();
  }
}
