import { Link } from '@tanstack/react-router';
import { ResponseError } from '@tollgate/node';
import type { Mode } from '../session/rights.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { Empty } from './empty.tsx';

/** Whether the API knows no such object, here or at all. */
export function isMissing(error: unknown): error is ResponseError {
  return error instanceof ResponseError && error.status === 404;
}

/** The mode that has the object, if the other one does: the API says so in its message. */
function otherModeIn(message: string): Mode | undefined {
  return /it exists in (test|live) mode\.$/.exec(message)?.[1] as Mode | undefined;
}

type MissingProps = { error: ResponseError; list: { path: string; title: string }; path: string };

/** In place of an object that is not there: the way to the list, and to the other mode if it is there. `path`: of its page. */
export function Missing({ error, list, path }: MissingProps) {
  const { mode, addressIn, go } = useWorkspace();
  const other = otherModeIn(error.message);
  const [title = ''] = error.message.split(/\.$| in (?:test|live) mode/);
  return (
    <Empty
      isPage
      icon="search"
      title={title}
      text={
        other === undefined
          ? `There is none with this id in ${mode} mode, or it belongs to another account. Check the address.`
          : `It belongs to ${other} mode. You are in ${mode} mode.`
      }
    >
      {other !== undefined && (
        <a
          href={addressIn({ mode: other }, path)}
          onClick={(event) => {
            event.preventDefault();
            go({ mode: other }, path);
          }}
        >
          Open it in {other} mode
        </a>
      )}
      <Link to={list.path as string}>Go to {list.title}</Link>
    </Empty>
  );
}
