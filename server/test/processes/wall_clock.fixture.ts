/**
 * Test code that is loaded before the server (`node --import`): the wall clock of this machine is wrong by CLOCK_ERROR_MS. SIGUSR2 makes
 * it jump to the opposite error.
 */
let errorMs = Number(process.env.CLOCK_ERROR_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    // @ts-expect-error: the many shapes of this constructor are handed on as they are
    super(...(given.length === 0 ? [RealDate.now() + errorMs] : given));
  }

  static override now(): number {
    return RealDate.now() + errorMs;
  }
} as DateConstructor;

process.on('SIGUSR2', () => {
  errorMs = -errorMs;
  console.error(`the wall clock has jumped: ${new Date().toISOString()}`);
});
