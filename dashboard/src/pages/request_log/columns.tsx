import { Link } from '@tanstack/react-router';
import type { RequestLog } from '@tollgate/node';
import { IdLink } from '../../kit/id_link.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { AnswerStatus } from '../../nouns/api_answer.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import style from './request_log.module.css';

/** `POST /v1/payments`. */
export function Route({ method, path }: { method: string; path: string }) {
  return (
    <span className={style.route}>
      <strong>{method}</strong> {path}
    </span>
  );
}

/** The code, and below it the reason, as much as fits. */
function RefusalSummary({ error_code, error_message }: Pick<RequestLog, 'error_code' | 'error_message'>) {
  return (
    <span className={style.refusal}>
      <code className={style.code}>{error_code}</code>
      {error_message !== undefined && (
        <span className={`${style.message} quiet`} title={error_message}>
          {error_message}
        </span>
      )}
    </span>
  );
}

export const requestColumns: readonly Column<RequestLog>[] = [
  {
    id: 'route',
    title: 'Request',
    isText: true,
    room: 14,
    cell: ({ id, method, path }) => (
      <Link to={`/request-log/${id}` as string} className={style.link}>
        <Route method={method} path={path} />
      </Link>
    ),
  },
  { id: 'status', title: 'Response', cell: ({ status }) => <AnswerStatus status={status} /> },
  {
    id: 'error_code',
    title: 'Error',
    isText: true,
    isBelow: true,
    cell: (request) => request.error_code && <RefusalSummary {...request} />,
  },
  {
    id: 'object',
    title: 'Object',
    room: 11,
    isWideOnly: true,
    cell: ({ object_id }) => object_id && <IdLink id={object_id} />,
  },
  {
    id: 'by',
    title: 'Sent by',
    isWideOnly: true,
    cell: ({ api_key, user }) => {
      const by = api_key ?? user;
      return by && <NamedId id={by} />;
    },
  },
  { id: 'address', title: 'Address', isHidden: true, isWideOnly: true, cell: ({ address }) => address },
  {
    id: 'duration',
    title: 'Duration',
    align: 'right',
    isWideOnly: true,
    cell: ({ duration_ms }) => `${duration_ms} ms`,
  },
  {
    id: 'created',
    title: 'Time',
    room: 12,
    align: 'right',
    cell: ({ created_ms }) => <Moment seconds={created_ms / 1_000} precision="millisecond" />,
  },
];
