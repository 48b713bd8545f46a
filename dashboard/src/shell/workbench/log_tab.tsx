import { Link } from '@tanstack/react-router';
import type { RequestLog } from '@tollgate/node';
import { Failure } from '../../kit/failure.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { AnswerStatus } from '../../nouns/api_answer.tsx';
import { SentParameters, ShownResponse } from '../../nouns/request_parts.tsx';
import { Entries, Waiting } from './entries.tsx';
import { requestsOf } from './subject.ts';
import style from './workbench.module.css';

/** A refusal makes no event: nothing says that there is another request. */
const everyMs = 3_000;
const newest = 50;

export function LogTab({ subject }: { subject: string | undefined }) {
  const filter = requestsOf(subject);
  const { data, error } = useRead(
    ['request_logs', 'workbench', filter],
    (api, options) => api.requestLogs.list({ ...filter, limit: newest }, options),
    { everyMs },
  );
  return (
    <Entries
      label="Requests"
      items={data?.data}
      error={error}
      nothing="No requests in the last 30 days. Reads in the dashboard are not shown."
      row={(request) => <Row request={request} />}
      detail={({ id }) => <Detail key={id} id={id} />}
    />
  );
}

function Row({ request: { method, path, status, error_code, created_ms } }: { request: RequestLog }) {
  return (
    <>
      <AnswerStatus status={status} />
      <span className={`truncated ${style.what}`}>
        <code>
          {method} {path}
        </code>
        {error_code !== undefined && <span className="quiet"> {error_code}</span>}
      </span>
      <span className={style.when}>
        <Moment seconds={created_ms / 1_000} precision="millisecond" />
      </span>
    </>
  );
}

/** What was sent, and what came back. */
function Detail({ id }: { id: string }) {
  const { data, error } = useRead(['request_logs', id], (api, options) => api.requestLogs.retrieve(id, options));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Waiting />;
  return (
    <div className={style.both}>
      <section>
        <h3 className={style.heading}>
          Request{' '}
          <Link to={`/request-log/${id}` as string} className="plain-link">
            {id}
          </Link>
        </h3>
        <SentParameters request={data} />
      </section>
      <section>
        <h3 className={style.heading}>Response, {data.duration_ms} ms</h3>
        <ShownResponse request={data} />
      </section>
    </div>
  );
}
