import { Link } from '@tanstack/react-router';
import { Copy } from './copy.tsx';
import style from './id_link.module.css';
import { pathOfId } from './paths.ts';

/** An id, which leads to the page of its object if there is one. */
export function IdLink({ id, canCopy = false }: { id: string; canCopy?: boolean }) {
  const path = pathOfId(id);
  return (
    <span className={style.id}>
      {path === undefined ? (
        <code className="truncated">{id}</code>
      ) : (
        <Link to={path as string} className="plain-link truncated">
          {id}
        </Link>
      )}
      {canCopy && <Copy text={id} label="Copy ID" />}
    </span>
  );
}
