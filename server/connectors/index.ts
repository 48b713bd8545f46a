import { assert } from '../base/errors.ts';
import type { Mode } from '../base/reads.ts';
import type { Patience } from './ask.ts';
import type { Connector } from './contract.ts';
import { createNone } from './none/index.ts';
import { type Challenges, createSimulator, type SimulatorOptions } from './simulator/index.ts';

export type { Patience } from './ask.ts';
export type { ChallengePage, ChallengePlace, Challenges } from './simulator/index.ts';

export type Connectors = {
  /** Who is asked for a new payment. */
  forMode(mode: Mode): Connector;
  /** Who was asked: an attempt keeps the name, and whatever the settings say now, only that processor knows of it. */
  byName(name: string): Connector;
  all: readonly Connector[];
  challenges: Challenges;
  /** How long any of them may take to answer. */
  patience: Patience;
};

export function createConnectors(options: {
  live: 'none' | 'simulator';
  simulator: SimulatorOptions;
  patience: Patience;
}): Connectors {
  const { connector: simulator, challenges } = createSimulator(options.simulator);
  const none = createNone();
  const all = [simulator, none];
  const byMode = { test: simulator, live: options.live === 'simulator' ? simulator : none };
  return {
    all,
    forMode: (mode) => byMode[mode],
    byName(name) {
      const found = all.find((connector) => connector.name === name);
      assert(found, `there is no connector ${name}`);
      return found;
    },
    challenges,
    patience: options.patience,
  };
}
