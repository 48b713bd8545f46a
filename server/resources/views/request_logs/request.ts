import type { Tenant } from '../../../base/reads.ts';

const int4Max = 2_147_483_647; // in microseconds 35 minutes, and an export may take longer

/** A request that was answered. What is not known of it is undefined. */
export type AnsweredRequest = {
  id: string;
  /** When it arrived, epoch milliseconds. */
  receivedAt: number;
  durationMs: number;
  tenant: Tenant | undefined;
  apiKey: string | undefined;
  user: string | undefined;
  operation: string | undefined;
  method: string;
  /** The route, where there is one. */
  path: string;
  status: number;
  code: string | undefined;
  /** Of a refusal, without secrets. */
  param: string | undefined;
  message: string | undefined;
  address: string;
  idempotencyKey: string | undefined;
  objectId: string | undefined;
  /** Redacted, as JSON. */
  parameters: string | undefined;
  /** In test mode. */
  bodies: RequestBodies | undefined;
};

/** What was sent and answered, as JSON, less what is confidential. */
export type RequestBodies = {
  /** The id in the path. */
  pathId: string | undefined;
  parameters: string | undefined;
  answer: string | undefined;
  /** The scopes that the answer needed beside that of its operation. */
  scopes: readonly string[];
};

export function durationUsOf({ durationMs }: Pick<AnsweredRequest, 'durationMs'>): number {
  return Math.min(Math.round(durationMs * 1_000), int4Max);
}

/** A request as the log has it. */
export type StoredRequest = {
  id: string;
  method: string;
  path: string;
  operation: string | null;
  status: number;
  code: string | null;
  param: string | null;
  message: string | null;
  duration_us: number;
  address: string;
  api_key: string | null;
  user_id: string | null;
  object_id: string | null;
  idempotency_key: string | null;
  /** Redacted. */
  parameters: Record<string, unknown> | null;
};

export function durationMs({ duration_us }: Pick<StoredRequest, 'duration_us'>): number {
  return Math.round(duration_us / 1_000);
}
