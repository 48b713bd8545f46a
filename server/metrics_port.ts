import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { errorCode } from './base/errors.ts';
import { StartError } from './database.ts';
import { serveMetrics } from './http/answering/metrics.ts';
import type { GatewayPart } from './parts.ts';

type Collect = () => Promise<Registry>;

/** The port that shows the metrics. They are collected from its start on. */
export function metricsPort(at: { port: number; host: string }, open: () => Promise<Collect>): GatewayPart {
  let server: Server | undefined;
  return {
    name: 'metrics',
    async start() {
      try {
        server = await serveMetrics(await open(), at);
      } catch (error) {
        if (errorCode(error) !== 'EADDRINUSE') throw error;
        const remedy = 'Stop that program, or set METRICS_PORT to another number';
        throw new StartError(`The port for metrics, ${at.port}, is in use by another program. ${remedy}`);
      }
    },
    stop: () => server?.close(),
  };
}
