/**
 * A part of the dashboard that could not be loaded: the gateway cannot be reached, or a newer version of it has other files. The router would
 * reload the page at once for some of these errors, whether or not the gateway is there: this class keeps it from that.
 */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';

  constructor(cause: unknown) {
    super('A part of the dashboard could not be loaded.', { cause });
  }
}

/**
 * For everything that is loaded when it is needed. What has failed once, such as while a link was pointed at, fails until the page is
 * loaded again: its styles are not asked for a second time.
 */
export function chunk<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let failure: ChunkError | undefined;
  return async () => {
    if (failure !== undefined) throw failure;
    try {
      return await load();
    } catch (error) {
      failure = new ChunkError(error);
      throw failure;
    }
  };
}
