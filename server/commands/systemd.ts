import { spawn } from 'node:child_process';
import type { Log } from '../base/log.ts';

/**
 * Reports to systemd that the server is ready (`Type=notify`), so that what is ordered after the unit starts when requests are answered.
 * Node has no datagram sockets of the kind that NOTIFY_SOCKET names, so systemd's own program sends the message.
 */
export function notifySystemd({ notifySocket }: { notifySocket: string | undefined }, log: Log): void {
  if (notifySocket === undefined) return;
  const failed = (reason: string) =>
    log.error({ reason }, 'systemd was not notified that the server is ready, and will stop it: use Type=exec');
  const sender = spawn('systemd-notify', ['READY=1'], { stdio: 'ignore' });
  sender.once('error', (error) => failed(error.message));
  sender.once('exit', (code) => code !== 0 && failed(`systemd-notify exited with ${code}`));
}
