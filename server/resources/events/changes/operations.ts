import { operation } from '../../../operations/operation.ts';
import { ChangeOutput } from './schema.ts';

const follow = operation({
  callers: ['person'],
  name: 'changes.follow',
  summary: 'Follow what happens',
  description:
    'Server-sent events: one message for each event, and for each attempt to deliver one. With `Last-Event-ID` it continues after that message, without a gap and without a repetition, for an hour. The stream ends when the session does.',
  route: 'GET /changes',
  isLive: true,
  output: ChangeOutput,
  async run({ changes, tenant }) {
    return { live: (lastEventId) => changes.open(tenant, lastEventId) };
  },
});

export const changeOperations = [follow];
