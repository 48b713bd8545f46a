// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** Refusals with the same code at the same route. */
export type RequestErrorGroup = {
  /** The code of the refusals. */
  error_code: string;
  /** The status of the answer. */
  status: number;
  /** The method of the request. */
  method: string;
  /** The route, with `:id` in place of the id of an object; the path as it was sent, if there is no such route. */
  path: string;
  /** The operation that was asked for; absent if there is none at this path. */
  operation?: string;
  /** How many there were. */
  count: number;
  /** When the oldest of them was received. In UTC epoch seconds. */
  first_created: number;
  /** When the newest of them was received. In UTC epoch seconds. */
  latest_created: number;
  /** The id of the newest of them. */
  latest_request: string;
};

/** The refused requests of a time, by error code and route. */
export type RequestErrors = {
  /** The kind of object. */
  object: 'request_errors';
  /** False if there were more than 20,000 refusals of one status: then only the newest were counted. */
  is_complete: boolean;
  /** The groups, the largest first, up to 100. */
  data: Array<RequestErrorGroup>;
};

/** A request, and how it was answered. */
export type RequestLog = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'request_log';
  /** The status of the answer. */
  status: number;
  /** The method of the request. */
  method: string;
  /** The route, with `:id` in place of the id of an object; the path as it was sent, if there is no such route. */
  path: string;
  /** The operation that was asked for; absent if there is none at this path. */
  operation?: string;
  /** The path with the id that was sent. Present where `parameters` are as they were sent. */
  url?: string;
  /** The code of the refusal; absent if there was none. */
  error_code?: string;
  /** The parameter that the refusal is about; absent if it is about none. */
  error_param?: string;
  /** The message of the refusal, up to 500 characters. */
  error_message?: string;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** The id of the API key that it was sent with. */
  api_key?: string;
  /** The id of the user who has sent it from the dashboard. */
  user?: string;
  /** The IP address that it came from. */
  address: string;
  /** The idempotency key that it was sent with, as far as it may be shown. */
  idempotency_key?: string;
  /** The id of the object that it created, changed or retrieved. */
  object_id?: string;
  /**
   * What was sent, with `[redacted]` in place of personal data and secrets, and of what a parameter that does not
   * exist was given. In test mode, when a single request is retrieved within 7 days: as it was sent, with
   * `[redacted]` in place of what is confidential alone.
   */
  parameters?: Record<string, unknown>;
  /** In place of the parameters as they were sent, if those have more than 8 KiB: how their JSON begins. */
  parameters_start?: string;
  /**
   * The body of the answer, with `[redacted]` in place of what is shown once, such as a new key. Present when a
   * single request is retrieved, in test mode, within 7 days, if the caller may read such objects.
   */
  answer?: Record<string, unknown>;
  /** In place of `answer`, if it has more than 8 KiB: how its JSON begins. */
  answer_start?: string;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** The same in milliseconds. */
  created_ms: number;
};

export type RequestLogsListParameters = ListParameters & {
  /** Only those that were answered with this status, such as 402, or with one of a class, such as 4xx. */
  status?: string | undefined;
  /** Only those with this method: GET, POST or DELETE. */
  method?: string | undefined;
  /** Only those to this route, such as `/v1/payments/:id`. */
  path?: string | undefined;
  /** Only those that asked for this operation, such as `payments.create`. */
  operation?: string | undefined;
  /** The id of an API key: only those that were sent with it. */
  api_key?: string | undefined;
  /** The id of a user: only those of this person, in the dashboard. */
  user?: string | undefined;
  /** Only those with an API key (`key`), or only those of people in the dashboard (`person`). */
  sent_by?: 'key' | 'person' | undefined;
  /** False leaves out what people have only read in the dashboard. True when not given. */
  dashboard_reads?: boolean | undefined;
  /** The id of an object: only those that created, changed or retrieved it. */
  object_id?: string | undefined;
  /** Only those that were refused with this code. */
  error_code?: string | undefined;
};

export type RequestLogsListErrorsParameters = {
  /** Only objects that were created within these bounds, in real time: test clocks do not count. */
  created?:
    | {
        /** After this time, in UTC epoch seconds. */
        gt?: number | undefined;
        /** At this time or after it, in UTC epoch seconds. */
        gte?: number | undefined;
        /** Before this time, in UTC epoch seconds. */
        lt?: number | undefined;
        /** At this time or before it, in UTC epoch seconds. */
        lte?: number | undefined;
      }
    | undefined;
};
