import type { Document } from '../../openapi/document.ts';
import type { OperationModel } from '../model.ts';
import { curlCall } from './curl.ts';
import { pythonCall, pythonClient, pythonLoop } from './python.ts';
import { sampleCall } from './request.ts';
import { isListing, nounOf, type SampleCall, type SampleOptions } from './sample.ts';
import { tabs } from './tabs.ts';
import { typescriptCall, typescriptClient, typescriptLoop } from './typescript.ts';

/** The call that the reference shows of an operation, as programs that can be pasted. */
export function operationTabs(document: Document, operation: OperationModel, options: SampleOptions): string {
  const call = sampleCall(document, operation);
  const printed: SampleCall = { ...call, variable: nounOf(operation), prints: [] };
  const isList = isListing(operation);
  return tabs(`sample-${operation.id}`, [
    { label: 'curl', language: 'sh', code: curlCall(call, options) },
    {
      label: 'TypeScript',
      language: 'ts',
      code: `${typescriptClient()}${isList ? typescriptLoop(call) : typescriptCall(printed)}`,
    },
    {
      label: 'Python',
      language: 'python',
      code: `${pythonClient(options)}${isList ? pythonLoop(call) : pythonCall(printed)}`,
    },
  ]);
}
