import { once } from 'node:events';
import { rmdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { reasonOf } from '../sql.ts';
import { EmbeddedPostgresError, FailedStartError, OwnedByAnotherError } from './errors.ts';
import { findLivingPostmaster, type LockFile, readLockFile, removeStaleLockFiles } from './lock_files.ts';
import { closeQuietly, findLockHolder, takeOwnerLock, tryConnect } from './owner_connection.ts';
import { endPostmaster, type Postmaster, startPostmaster } from './postmaster.ts';
import { isPostmaster, killLeftBehind } from './process_table.ts';
import { type ServerOptions, type SocketAddress, usualPort } from './server_command.ts';
import { chooseSocketDirectory, makePrivateDirectory } from './socket_directory.ts';

const pollGapMs = 20;
/** A start that gives no answer for this long has failed. */
const silenceMaxMs = 30_000;
/** A start that answers "starting" is recovering from a crash. Giving up would lose its progress, so it gets more time. */
const recoveryMaxMs = 600_000;
const recoveryNoticeGapMs = 10_000;
/** Causes that pass (another process stopping, a directory being removed) pass within a few tries. */
const firstStartTriesMax = 3;
const firstStartRetryMs = 100;
/** Before we take the lock of a PostgreSQL that another process may just have started, that process gets time to take it. */
const starterFirstMs = 200;
/** Processes of a killed PostgreSQL exit by themselves within milliseconds, except during a long calculation. */
const leftBehindPatienceMs = 300;
/** If PostgreSQL dies again after less than this, each restart waits longer than the one before. */
const quickDeathMs = 1_000;
const restartDelayMaxMs = 2_000;

/** A PostgreSQL that serves, and whose owner lock we hold. */
type Held = { pid: number; client: Client; since: number; lost: Promise<void> };

type SupervisorOptions = ServerOptions & { password: string; log: (message: string) => void };

/** Keeps one PostgreSQL running on its cluster, with this process as its only owner, until stop() is called. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #ending = new AbortController();
  /** Fixed as soon as we own the server: callers keep connecting to this address over all restarts. */
  #address: SocketAddress | undefined;
  #owned = false;
  #child: Postmaster | undefined;
  #held: Held | undefined;
  /** The process id of the PostgreSQL that serves, or served last. */
  pid = 0;
  /** Since when processes of the last PostgreSQL keep a new one from starting. */
  #blockedSince: number | undefined;
  #watching: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Returns the address that PostgreSQL listens on. */
  async start(): Promise<SocketAddress> {
    for (let tries = 1; ; tries += 1) {
      try {
        this.#held = await this.#acquire();
        break;
      } catch (error) {
        if (error instanceof FailedStartError && tries < firstStartTriesMax) {
          await sleep(firstStartRetryMs);
          continue;
        }
        // If another process owns the PostgreSQL that we started, we must not stop it.
        if (!(error instanceof OwnedByAnotherError)) await this.#endChild();
        await this.#removeSocketDirectory();
        throw error;
      }
    }
    this.#watching = this.#watch();
    return this.#address!;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#ending.abort();
    await this.#watching;
    // An owner that lost the lock during a restart has no child and holds nothing: another process owns the server now.
    const held = this.#held;
    if (this.#child !== undefined) await this.#endChild();
    else if (held !== undefined)
      await endPostmaster(held.pid, async () => !(await isPostmaster(held.pid)), this.#options.log);
    if (held !== undefined) await closeQuietly(held.client);
    await this.#removeSocketDirectory();
  }

  async #removeSocketDirectory(): Promise<void> {
    // Fails, as it should, while a socket is in it.
    if (this.#address !== undefined) await rmdir(this.#address.host).catch(() => {});
  }

  async #endChild(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.ending() !== undefined) return;
    await endPostmaster(child.pid, async () => child.ending() !== undefined, this.#options.log);
  }

  /** When the owner's connection breaks, PostgreSQL has crashed or is gone: restarts it if need be, and takes the lock again. */
  async #watch(): Promise<void> {
    const stopRequested = once(this.#ending.signal, 'abort');
    let quickDeaths = 0;
    while (this.#held !== undefined) {
      const { lost, since, client } = this.#held;
      await Promise.race([lost, stopRequested]);
      if (this.#ending.signal.aborted) return;
      const lostAt = performance.now();
      this.#held = undefined;
      await closeQuietly(client);
      await this.#reportLoss();
      quickDeaths = lostAt - since < quickDeathMs ? quickDeaths + 1 : 0;
      await this.#reacquire(quickDeaths);
      if (this.#held !== undefined) {
        this.#options.log(
          `PostgreSQL serves again after ${Math.round(performance.now() - lostAt)} ms, process ${this.pid}`,
        );
      }
    }
  }

  async #reportLoss(): Promise<void> {
    // The connection often breaks a moment before the system reports the exit of the process, with its reason.
    await Promise.race([this.#child?.ended, sleep(pollGapMs)]);
    const ending = this.#child?.ending();
    const what = ending === undefined ? 'broke the connection of its owner' : `ended unexpectedly (${ending})`;
    this.#options.log(`PostgreSQL (process ${this.pid}) ${what}; making it serve again`);
  }

  /** Tries until it succeeds or stop() is called. */
  async #reacquire(quickDeaths: number): Promise<void> {
    const { signal } = this.#ending;
    for (let failures = Math.max(0, quickDeaths - 1); !signal.aborted; failures += 1) {
      try {
        await sleep(restartDelayMs(failures), undefined, { signal });
        this.#held = await this.#acquire();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log(`${reasonOf(error)} (next try within ${restartDelayMaxMs} ms)`);
      }
    }
  }

  /** Attaches to the PostgreSQL that runs on the cluster, or starts one, and returns when we own it. */
  async #acquire(): Promise<Held> {
    const begun = performance.now();
    let lastAnswer = begun;
    let nextNotice = begun + recoveryNoticeGapMs;
    for (;;) {
      this.#ending.signal.throwIfAborted();
      await this.#settleEndedChild();
      const candidate = (await this.#findCandidate()) ?? (await this.#startChild());
      const { paths, password } = this.#options;
      const result = await tryConnect(paths, { address: candidate.address, password });
      if (result.kind === 'ready') {
        const held = await this.#claim(candidate, result.client);
        if (held !== undefined) return held;
      }
      const now = performance.now();
      if (result.kind !== 'silent') lastAnswer = now;
      if (now - lastAnswer > silenceMaxMs || now - begun > recoveryMaxMs) throw await this.#tooSlow(candidate);
      if (now > nextNotice) {
        this.#options.log(`PostgreSQL (process ${candidate.pid}) is still starting`);
        nextNotice = now + recoveryNoticeGapMs;
      }
      await sleep(pollGapMs, undefined, { signal: this.#ending.signal });
    }
  }

  async #findCandidate(): Promise<LockFile | undefined> {
    if (this.#child !== undefined) return { pid: this.#child.pid, address: this.#address };
    return findLivingPostmaster(this.#options.paths);
  }

  async #startChild(): Promise<LockFile> {
    const { paths, launcher } = this.#options;
    this.#address ??= { host: await chooseSocketDirectory(paths.identity, launcher.socketOwner), port: usualPort };
    if (!(await makePrivateDirectory(this.#address.host, launcher.socketOwner))) {
      throw new EmbeddedPostgresError(
        `The socket directory ${this.#address.host} is no longer private to Tollgate. Remove it and restart Tollgate.`,
      );
    }
    this.#child = await startPostmaster(this.#options, this.#address);
    return { pid: this.#child.pid, address: this.#address };
  }

  /** Undefined when the server went away in between, or the one we started is about to exit because another one serves. */
  async #claim(candidate: LockFile, client: Client): Promise<Held | undefined> {
    const { pid, address } = candidate;
    const child = this.#child?.pid === pid ? this.#child : undefined;
    const broken = new Promise<void>((resolve) => client.once('end', () => resolve()));
    try {
      const serving = await readLockFile(this.#options.paths);
      if (serving?.pid === pid && (await this.#takeLock(client, child))) {
        if (child !== undefined) child.served = true;
        if (!this.#owned) this.#address = address;
        this.#owned = true;
        this.pid = pid;
        this.#blockedSince = undefined;
        const lost = child === undefined ? broken : Promise.race([broken, child.ended]);
        return { pid, client, since: performance.now(), lost };
      }
    } catch (error) {
      await closeQuietly(client);
      if (error instanceof EmbeddedPostgresError || this.#ending.signal.aborted) throw error;
      return undefined;
    }
    await closeQuietly(client);
    return undefined;
  }

  async #takeLock(client: Client, child: Postmaster | undefined): Promise<boolean> {
    const { signal } = this.#ending;
    if (child === undefined && !this.#owned) await sleep(starterFirstMs, undefined, { signal });
    if (await takeOwnerLock(client, signal)) return true;
    const holder = await findLockHolder(client);
    throw new OwnedByAnotherError(
      `The data directory ${this.#options.paths.dataDir} is in use by another Tollgate${holder === undefined ? '' : ` (process ${holder})`}. Stop that one, or choose another TOLLGATE_DATA_DIR.`,
    );
  }

  /** If our PostgreSQL has exited, prepares for the next start; throws if it failed for a reason that does not pass. */
  async #settleEndedChild(): Promise<void> {
    const child = this.#child;
    if (child?.ending() === undefined) return;
    this.#child = undefined;
    if (child.served) return;
    const tail = await child.logTail();
    const { paths } = this.#options;
    if (/lock file ".*" (already exists|is empty)/.test(tail)) {
      if (this.#address !== undefined) await removeStaleLockFiles(paths, this.#address);
    } else if (/pre-existing shared memory block/.test(tail)) {
      await this.#clearLeftBehind();
    } else {
      throw new FailedStartError(
        `The built-in PostgreSQL could not start (${child.ending()}). Correct what the end of ${paths.logFile} names, then start again:\n${tail}`,
      );
    }
    await sleep(pollGapMs, undefined, { signal: this.#ending.signal });
  }

  async #clearLeftBehind(): Promise<void> {
    const now = performance.now();
    this.#blockedSince ??= now;
    if (now - this.#blockedSince < leftBehindPatienceMs) return;
    const killed = await killLeftBehind(this.#options.paths.clusterName);
    if (killed.length === 0) return;
    this.#options.log(`killed processes that a dead PostgreSQL had left behind: ${killed.join(', ')}`);
  }

  async #tooSlow({ pid }: LockFile): Promise<EmbeddedPostgresError> {
    const { paths } = this.#options;
    if (this.#child === undefined) {
      return new EmbeddedPostgresError(
        `A PostgreSQL (process ${pid}) runs on ${paths.cluster} but does not answer. Stop it with kill -INT ${pid} and start again. If process ${pid} belongs to something else, delete ${paths.cluster}/postmaster.pid instead.`,
      );
    }
    const tail = await this.#child.logTail();
    return new EmbeddedPostgresError(
      `The built-in PostgreSQL was not ready within ${silenceMaxMs / 1_000} s. Correct what the end of ${paths.logFile} names, then start again:\n${tail}`,
    );
  }
}

function restartDelayMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(restartDelayMaxMs, 50 * 2 ** (failures - 1));
}
