import { Unavailable } from './errors.ts';

/** Why the database cannot be used: the reason that `/readyz` gives, and what an operator has to know. */
export type Outage = { reason: string; message: string };

/** The database is there, but nothing may be changed in it. */
export class Unfit extends Unavailable {
  readonly outage: Outage;

  constructor(message: string, outage: Outage) {
    super(message);
    this.outage = outage;
  }
}
