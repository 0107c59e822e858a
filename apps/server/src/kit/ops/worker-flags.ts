/**
 * How Node is started for a worker. V8 lets garbage pile up as long as the machine has memory; a worker that writes long
 * files beside other processes must not take it. Whatever a job does, it does in pages and chunks that fit in here.
 */
export const workerFlags = ['--max-old-space-size=192', '--max-semi-space-size=8']
