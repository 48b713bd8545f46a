import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { type ServerOptions, startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { Billing, type Shown } from './billing.fixture.ts';

/** Cards whose payment has an unknown outcome: the processor has charged it, or has never received it. */
export const lost = { reply: '4000000000000408', request: '4000000000000416' };

const inquiryMs = 25_000; // the deadline of a call, and the pause before the first inquiry

/** A merchant in real time, which passes only when a test says so. */
export class ServedBilling extends Billing {
  readonly time: VirtualClock = virtualClock(Date.now());
  server!: TestServer;
  tenant!: Tenant;

  constructor() {
    super({} as TestAccount); // each test opens an account
  }

  async start(options: ServerOptions): Promise<void> {
    this.server = await startServer({ ...options, clock: this.time });
  }

  async openAccount(): Promise<void> {
    this.account = await this.server.account();
    this.tenant = await tenantOf(this.server.sql, this.account.id, 'test');
  }

  /** Time passes, and everything that is due by then is done. */
  async passTime(milliseconds: number): Promise<void> {
    this.time.advance(milliseconds);
    await this.server.settled();
  }

  /** The processor is asked about what is unknown. */
  isAsked(): Promise<void> {
    return this.passTime(inquiryMs);
  }

  /** The next calls of a verb to the simulator meet a fault. */
  async fault(verb: string, kind: string, remaining = 1): Promise<void> {
    const text = 'insert into simulator_faults (tenant, verb, kind, remaining) values ($1, $2, $3, $4)';
    await this.server.sql.query(text, [this.tenant, verb, kind, remaining]);
  }

  async clearFaults(): Promise<void> {
    await this.server.sql.query('update simulator_faults set remaining = 0 where tenant = $1', [this.tenant]);
  }

  /** The cardholder decides on the page of the bank. */
  async decide({ next_action }: Shown, decision: 'approve' | 'refuse'): Promise<void> {
    const { pathname } = new URL(next_action.redirect_to_url.url);
    expect((await this.server.anonymous.form(pathname, `decision=${decision}`)).status).toBe(303);
  }
}

/** Runs a server for the tests of a file, or of a group, with a new account for each of them. */
export function serveBilling(options: ServerOptions): ServedBilling {
  const billing = new ServedBilling();
  beforeAll(() => billing.start(options));
  beforeEach(() => billing.openAccount());
  afterAll(() => billing.server.stop());
  return billing;
}
