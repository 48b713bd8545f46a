import type { Log } from '../base/log.ts';
import type { Tenant } from '../base/reads.ts';
import type { AttemptId, InquiryOutcome, Notice } from '../connectors/contract.ts';

/** Writes down what a notice says. Rejects when it could not: then the processor is asked for the notice again. */
export type NoticeHandler<Kind extends Notice['kind'] = Notice['kind']> = (
  notice: Extract<Notice, { kind: Kind }>,
  connector: string,
) => Promise<void>;

/** What a resource does about the kinds of notices that concern it. */
export type NoticeHandlers = { [Kind in Notice['kind']]?: NoticeHandler<Kind> } & {
  /** About an answer to one of our own calls that came after its deadline. */
  late?: (tenant: Tenant, attempt: AttemptId, outcome: InquiryOutcome) => Promise<void>;
};

/** Hands what processors report to every resource that it concerns. Each writes it down by itself, and may be told the same again. */
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

  handle: NoticeHandler = async (notice, connector) => {
    const concerned = this.#handlers.flatMap((handlers) => (handlers[notice.kind] as NoticeHandler | undefined) ?? []);
    if (concerned.length === 0) throw new Error(`no resource handles a notice of kind ${notice.kind}`);
    for (const handle of concerned) await handle(notice, connector);
  };

  late = (tenant: Tenant, attempt: AttemptId, outcome: InquiryOutcome): void => {
    for (const { late } of this.#handlers)
      late?.(tenant, attempt, outcome).catch((error) =>
        this.#log.error({ attempt, error: String(error) }, 'a late answer could not be dealt with'),
      );
  };
}
