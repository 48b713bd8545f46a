import { idTime } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import { Created, Moment, ObjectKind, ShownOnce, Text } from '../../../operations/schemas.ts';
import { isWaiting, openCode } from './code.ts';
import { findWaiting } from './store.ts';

/** More than somebody who tries the portal has asked for. */
const shownMax = 10;

const ShownCodesOutput = Type.Object(
  {
    object: ObjectKind('portal_codes'),
    codes: Type.Array(
      Type.Object({
        id: Text('The id of the code.'),
        email: Text('The address that the code would go to.'),
        code: ShownOnce('The code.'),
        created: Created,
        expires_at: Moment('Until when it can be entered.'),
      }),
      { description: `The newest codes that can still be entered, up to ${shownMax}.` },
    ),
  },
  { title: 'PortalCodes', description: 'Codes by which customers of test mode can sign in to the portal now.' },
);

/** What a mail would say, where none leaves the machine. Who may see it could make a link that signs in as the same customer. */
export const shownCodes: AnyOperation = operation({
  name: 'portal_codes.shown',
  summary: 'Retrieve codes that customers were mailed',
  description:
    'Returns the codes that somebody who tries the portal has asked for. There are some in test mode alone, on a gateway for development without `SMTP_URL`: elsewhere they are mailed, and nobody else sees them.',
  route: 'GET /portal_codes',
  callers: ['person'],
  right: 'handle',
  output: ShownCodesOutput,
  async run({ reads, tenant, mode, now, keyring, mail }) {
    const isHere = mode === 'test' && mail.isSetUp && !mail.isDelivered;
    const rows = isHere ? await findWaiting(reads, tenant, now, shownMax) : [];
    const codes = rows
      .filter((row) => isWaiting(row, now))
      .flatMap((row) => {
        const { id } = row;
        const { email, code } = openCode(keyring, row);
        const seconds = { created: idTime(id), expires_at: row.expires_at.getTime() };
        return code === undefined ? [] : [{ id, email, code, ...inSeconds(seconds) }];
      });
    return { result: { object: 'portal_codes', codes } };
  },
});

function inSeconds(moments: Record<'created' | 'expires_at', number>) {
  return { created: Math.floor(moments.created / 1_000), expires_at: Math.floor(moments.expires_at / 1_000) };
}
