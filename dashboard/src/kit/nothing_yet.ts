import type { Event } from '@tollgate/node';
import { localCaFile, tollgateCommand } from './ca_file.ts';
import { curlOf } from './curl.ts';
import type { EmptyWords } from './empty.tsx';

type FirstOne = {
  /** Of several, such as `payments`. */
  noun: string;
  /** How one is made here, in a sentence. */
  here: string;
  /** In test mode, the trigger of this event makes one, with all that it needs. */
  event: Event['type'];
  /** In live mode, this request makes one. */
  path: string;
  parameters: Record<string, unknown>;
};

/** Where a list has nothing: how to make the first one, with a command that works as it is pasted. */
export function nothingYet(mode: 'test' | 'live', { noun, here, event, path, parameters }: FirstOne): EmptyWords {
  const title = `No ${mode} ${noun} yet`;
  if (mode === 'test')
    return {
      title,
      text: `${here} Or run this in the folder where you started the gateway:`,
      command: tollgateCommand(`trigger ${event}`),
    };
  return {
    title,
    text: `${here} Or from your server, with a live key:`,
    command: curlOf({
      origin: location.origin,
      method: 'POST',
      path,
      parameters,
      key: 'sk_live_tg_…',
      caFile: localCaFile(),
    }),
  };
}
