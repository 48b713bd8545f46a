import type { RequestLogsListParameters } from '@tollgate/node';

/** The object that a page is about, by its address; undefined on lists, and where it is a request of the log itself. */
export function subjectOf(pathname: string): string | undefined {
  const id = /\/([a-z]{2,8}_[0-9A-Za-z]{22})\/?$/.exec(pathname)?.[1];
  return id === undefined || id.startsWith('req_') || id.startsWith('acct_') ? undefined : id;
}

/** The requests that concern an object: those of a key or a person, or those about anything else. */
export function requestsOf(subject: string | undefined): RequestLogsListParameters {
  if (subject === undefined) return { dashboard_reads: false };
  if (subject.startsWith('key_')) return { api_key: subject };
  if (subject.startsWith('usr_')) return { user: subject };
  return { object_id: subject, dashboard_reads: false };
}

/** The path with the object in place of `:id`, where it is a path of the resource that the object belongs to. */
export function filledPath(path: string, subject: string | undefined, resource: string | undefined): string {
  return subject !== undefined && path.split('/')[2] === resource ? path.replace(':id', subject) : path;
}
