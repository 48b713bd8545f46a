/** The role that Tollgate connects as, and the database with its tables, which the role owns. */
export const databaseUser = 'tollgate';
export const databaseName = 'tollgate';
/** Owns the cluster. It has no password and cannot log in: a superuser can read files and run programs. */
export const superuser = 'tollgate_superuser';

/** Makes the role that Tollgate connects as, and locks the superuser out. */
export function roleStatements(password: string): string[] {
  return [
    'set log_min_error_statement = panic', // PostgreSQL would log a statement that fails, with the password in it
    `create role ${databaseUser} login password ${quoted(password)}`,
    `grant pg_checkpoint to ${databaseUser}`,
    `alter role ${superuser} nologin password null`,
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
