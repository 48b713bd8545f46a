import type { Log } from '../base/log.ts';
import type { Tenant } from '../base/reads.ts';
import type { AttemptId, InquiryOutcome, Notice } from '../connectors/contract.ts';
import type { NoticeSource } from '../connectors/index.ts';

/** Commits what a notice reports. If it rejects, the notice is handled again later. */
export type NoticeHandler<Kind extends Notice['kind'] = Notice['kind']> = (
  notice: Extract<Notice, { kind: Kind }>,
  source: NoticeSource,
) => Promise<void>;

/** The handlers of a resource, by the kind of notice. */
export type NoticeHandlers = { [Kind in Notice['kind']]?: NoticeHandler<Kind> } & {
  /** Called with the answer to a call of ours that came after its deadline. */
  late?: (tenant: Tenant, attempt: AttemptId, outcome: InquiryOutcome) => Promise<void>;
};

/** Thrown by a handler: the notice overtook the answer to a call in flight, which ends soon. It is handled again, and has not failed. */
export class CallInFlight extends Error {}

/** Passes a notice to every resource that handles its kind. Each commits by itself, and may get the same notice again. */
export class NoticeDispatch {
  readonly #log: Log;
  #handlers: readonly NoticeHandlers[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** Connectors are created before the resources that they report to. */
  register(handlers: readonly NoticeHandlers[]): void {
    this.#handlers = handlers;
  }

  handle: NoticeHandler = async (notice, source) => {
    const concerned = this.#handlers.flatMap((handlers) => (handlers[notice.kind] as NoticeHandler | undefined) ?? []);
    if (concerned.length === 0) throw new Error(`no resource handles a notice of kind ${notice.kind}`);
    // At the same time, so that their reads of the same row are one read.
    const ended = await Promise.allSettled(concerned.map((handle) => handle(notice, source)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  };

  late = (tenant: Tenant, attempt: AttemptId, outcome: InquiryOutcome): void => {
    for (const { late } of this.#handlers)
      late?.(tenant, attempt, outcome).catch((error) =>
        this.#log.error({ attempt, error: String(error) }, 'could not handle a late answer from a processor'),
      );
  };
}
