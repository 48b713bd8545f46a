import { type ApiModel, nameOf, type OperationModel, resolved } from './model.ts';

/** The shapes of answers, each with the resource on whose page it is explained: the one that makes or retrieves it. */
export function shapesByPage({ document, resources }: ApiModel): Map<string, string> {
  const operations = resources.flatMap((resource) => resource.operations);
  const inOrder = [...operations.filter(isOwn), ...operations.filter((one) => !isOwn(one))];
  const pages = new Map<string, string>();
  for (const { tag, answer } of inOrder) {
    const whole = resolved(document, answer.schema);
    const listed = whole.properties?.data?.items;
    const name = nameOf(listed ?? answer.schema);
    if (name !== undefined && !pages.has(name)) pages.set(name, tag);
  }
  return pages;
}

function isOwn({ id }: OperationModel): boolean {
  return /\.(create|retrieve)$/.test(id);
}
