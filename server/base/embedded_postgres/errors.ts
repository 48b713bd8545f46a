/** Every failure a user can meet here. The message says what is wrong and what to do; it never holds the password. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** PostgreSQL was started and ended before it served. Worth another try: the cause may pass, a neighbour's clean-up for example. */
export class FailedStartError extends EmbeddedPostgresError {
  override name = 'FailedStartError';
}

/** Another living process owns the data directory. */
export class OwnedByAnotherError extends EmbeddedPostgresError {
  override name = 'OwnedByAnotherError';
}

export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Runs file work and turns a refusal of the operating system into one sentence for the user. */
export async function explainingFailure<T>(what: string, remedy: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(`${what}: ${reason}. ${remedy}`, { cause: error });
  }
}
