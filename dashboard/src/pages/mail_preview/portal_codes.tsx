import type { PortalCodes as Codes } from '@tollgate/node';
import { Copy } from '../../kit/copy.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { useWorkspace } from '../../session/workspace.tsx';

type Code = Codes['codes'][number];

/** Somebody waits for it in another tab. */
const readAgainMs = 2_000;

const columns: readonly Column<Code>[] = [
  {
    id: 'code',
    title: 'Code',
    room: 8,
    cell: ({ code }) => (
      <>
        <code>{code}</code> <Copy text={code} label="Copy the code" />
      </>
    ),
  },
  { id: 'email', title: 'For', isText: true, cell: ({ email }) => email },
  {
    id: 'expires',
    title: 'Until',
    align: 'right',
    room: 9,
    cell: ({ expires_at }) => <Moment seconds={expires_at} precision="second" />,
  },
];

/** The codes by which customers of test mode sign in to the portal: no mail takes them to anybody here. */
export function PortalCodes() {
  const { may, mode } = useWorkspace();
  const isShown = mode === 'test' && may('portal_codes.shown');
  const { data, error, refetch } = useRead(['portal_codes'], (api, options) => api.portalCodes.shown(options), {
    isEnabled: isShown,
    everyMs: readAgainMs,
  });
  if (!isShown) return null;
  return (
    <RelatedList
      title="Codes for the portal"
      reading={{ data: data && { data: data.codes }, error, refetch }}
      columns={columns}
      aside={
        data !== undefined &&
        data.codes.length > 0 && (
          <span className="quiet">Customers of test mode sign in with them. They are good for 15 minutes.</span>
        )
      }
      empty="None. Ask for one on the page where customers sign in."
    />
  );
}
