import { inspect } from 'node:util';
import { EmbeddedPostgresError } from '../base/embedded_postgres/index.ts';
import { hideKeys } from '../base/hidden_keys.ts';
import { MasterKeyError } from '../base/keyring.ts';
import { MigrationError } from '../base/migration.ts';
import { PlaceDown } from '../base/places/place_down.ts';
import { isUnavailable, sqlState } from '../base/sql.ts';
import { ConfigError } from '../config.ts';
import { StartError } from '../database.ts';
import { AccountMissing } from '../operations/tenants.ts';
import { ProcessorSilent } from '../resources/payments/processor_accounts/verification.ts';
import type { ApiRefusal } from './api/run.ts';
import { databaseTrouble } from './database_trouble.ts';
import type { RefusedCommand } from './operator.ts';
import { sentenceCase } from './print.ts';
import { exitCodes, MissingError, UsageError } from './usage.ts';

const forPeople = [ProcessorSilent, UsageError, MissingError, StartError, MigrationError, EmbeddedPostgresError];

/** What was given may be a secret in the wrong place, which must not be repeated. */
function accountName(text: string): string {
  return /^acct_\w*$/.test(text) ? text : 'of that name (an id begins with acct_)';
}

/** Such as EACCES for a file or a port. An error without a system call is a defect, and keeps its stack trace. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** A file could not be used. The socket of a database that is not there has the same code, and another system call. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return isSystemError(error) && error.path !== undefined && error.syscall !== 'connect';
}

/** Says in a sentence why a command failed, and returns its exit code. */
export function report(error: unknown): number {
  complain(error);
  return exitCodeOf(error);
}

/** Errors of the API and of operations know their own: see `exitCodes`. */
function exitCodeOf(error: unknown): number {
  const { exitCode } = error as Partial<ApiRefusal | RefusedCommand>;
  if (exitCode !== undefined) return exitCode;
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof AccountMissing || error instanceof MissingError) return exitCodes.refused;
  const isSilent = error instanceof ProcessorSilent || (isUnavailable(error) && !isFileError(error));
  return isSilent ? exitCodes.unavailable : exitCodes.failed;
}

/** An argument may be a secret in the wrong place, which must not be repeated. */
function tell(text: string): void {
  console.error(hideKeys(text));
}

function complain(error: unknown): void {
  if (error instanceof ConfigError) {
    tell(
      `Tollgate cannot start. ${error.problems.length === 1 ? 'This setting needs' : 'These settings need'} attention:\n`,
    );
    for (const problem of error.problems) tell(`  - ${problem}`);
  } else if (error instanceof MasterKeyError) tell(`The vault key cannot be used: ${error.message}.`);
  else if (error instanceof AccountMissing)
    tell(`there is no account ${accountName(error.account)}; "tollgate accounts list" shows them.`);
  else if ((error as Partial<ApiRefusal>).isOfApi) tell((error as Error).message);
  else if (error instanceof PlaceDown) tell(sentenceCase(databaseTrouble(error)));
  else if (forPeople.some((kind) => error instanceof kind)) tell(`${(error as Error).message.replace(/\.?$/, '.')}`);
  else if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    tell('The port is in use by another program. Stop that program, or set PORT to another number.');
  else if (isFileError(error)) tell(`${error.message}. Check the path, and the rights of this user.`);
  else if (isUnavailable(error) || sqlState(error) !== undefined)
    tell(`The database cannot be used: ${databaseTrouble(error)}`);
  else if (isSystemError(error))
    tell(`The operating system refuses: ${error.message}. Check the path or the address, and the rights of this user.`);
  else tell(inspect(error));
}
