import { defineConfig } from 'vitest/config';
import { LongestFirst } from './server/test/longest_first.ts';
import { useTemporaryFolder } from './server/test/temporary_folder.ts';
import { limitMs } from './server/test/torture.ts';

useTemporaryFolder();

export default defineConfig({
  test: {
    include: ['{server,sdk,sdk-python,dashboard}/**/*.test.ts'],
    globalSetup: ['server/test/global_setup.ts'],
    setupFiles: ['server/test/setup.ts'],
    pool: 'forks',
    maxWorkers: 4,
    isolate: false,
    // Fewer collections of garbage: V8's background threads took a seventh of all processor time for marking, on a busy machine.
    execArgv: ['--max-semi-space-size=32', '--initial-old-space-size=512', '--no-memory-reducer'],
    // Node imports the source by itself, as it does for users. Vite's module runner takes 40 s more of processor time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Limits end what hangs. A machine that is busy with something else says nothing about the thing itself.
    testTimeout: limitMs,
    hookTimeout: limitMs,
    expect: { poll: { timeout: 60_000 } },
  },
});
