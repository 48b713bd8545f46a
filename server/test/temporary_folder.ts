import { accessSync, constants, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { isTorture } from './torture.ts';

const inMemory = '/dev/shm';
const bytesNeeded = 4 * 2 ** 30;

/**
 * Sets where this process and its children put temporary files. Creating and dropping a database takes 20 ms of processor time on a file
 * system in memory and 90 to 250 on a disk, and the tests do it hundreds of times. The long runs keep to the disk: there, the time that a
 * commit needs is part of the test.
 */
export function useTemporaryFolder(): void {
  if (!isTorture && hasRoom()) process.env.TMPDIR = inMemory;
}

function hasRoom(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= bytesNeeded && freemem() >= bytesNeeded;
  } catch {
    return false;
  }
}
