import { reasonOf } from '../sql.ts';

/** Every failure a user can meet here. The message says what is wrong and what to do; it never contains the password. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** PostgreSQL was started and exited before it served. Worth another try: the cause may pass, such as another process cleaning up. */
export class FailedStartError extends EmbeddedPostgresError {}

/** Another living process owns the data directory. */
export class OwnedByAnotherError extends EmbeddedPostgresError {}

/** Runs file work and turns an error of the operating system into one sentence for the user. */
export async function explainingFailure<T>(what: string, remedy: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(`${what}: ${reasonOf(error)}. ${remedy}`, { cause: error });
  }
}
