import { type Right, rights, roles, rolesWith } from '../server/operations/role.ts';
import { type Parts, withParts } from './markers.ts';

const parts: Parts = { roles: rolesTable };

/** The guide to people, with the table of rights. */
export const rolesMarkdown = (guide: string) => withParts(guide, parts);

function rolesTable(): string {
  const rows = (Object.keys(rights) as Right[]).map((right) => {
    const [inTest, inLive] = [rolesWith('test', right), rolesWith('live', right)];
    const cells = roles.map((role) => (inLive.includes(role) ? 'yes' : inTest.includes(role) ? 'in test mode' : 'no'));
    return `| ${rights[right].about} | ${cells.join(' | ')} |`;
  });
  return [`| | ${roles.join(' | ')} |`, `|---${'|---'.repeat(roles.length)}|`, ...rows].join('\n');
}
