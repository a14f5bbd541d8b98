#!/usr/bin/env node
// Submits a purchase and asks about it, with Node 18 or later and no package.
//
//     ask.mjs SOCKETS EVIDENCE        ask.mjs /run/usher transaction.jws

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

// Keeps connections open and reuses them.
const agent = new Agent({ keepAlive: true });

class Problem extends Error {
  constructor({ detail, status, code }) {
    super(detail);
    Object.assign(this, { status, code });
  }
}

async function call(socketPath, method, path, body, milliseconds = 2000) {
  const response = await new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(milliseconds);
    const headers = { Host: 'localhost', 'Content-Type': 'application/json' };
    request({ agent, socketPath, method, path, headers, signal }, resolve)
      .on('error', (error) => reject(signal.aborted ? signal.reason : error))
      .end(body && JSON.stringify(body));
  });
  const answer = JSON.parse(await text(response));
  if (response.statusCode >= 300) throw new Problem(answer);
  return answer;
}

const [sockets, evidence] = process.argv.slice(2);
const query = `${sockets}/query.sock`;

// Evidence, from the service that the app sends its transactions to.
const body = { account: 'bruno', payload: readFileSync(evidence, 'ascii') };
const { transactions } = await call(`${sockets}/usher.sock`, 'POST', '/v1/evidence', body);
for (const { transaction, verdict } of transactions) {
  console.log(`evidence: transaction ${transaction} ${verdict}`);
}

// A question in the form of AuthZEN.
const { decision, context } = await call(query, 'POST', '/access/v1/evaluation', {
  subject: { type: 'account', id: 'bruno' },
  action: { name: 'use' },
  resource: { type: 'entitlement', id: 'no-ads' },
});
console.log(`evaluation: ${decision} (${context.reason})`);

// The same question as a plain GET.
const right = await call(query, 'GET', '/v1/accounts/bruno/entitlements/no-ads');
console.log(`entitlement: ${right.decision} (${right.state})`);

// A problem has a status and a stable code. Repeat a 429 or 503 after its Retry-After.
try {
  await call(query, 'GET', '/v1/accounts/bruno/entitlements/no-such-thing');
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.log(`problem: ${error.status} ${error.code}`);
}

// Set a time-out and decide what no answer means for your product. (This question waits for a
// revision that the ledger has not reached.)
try {
  const path = '/v1/accounts/bruno/entitlements?min_revision=999999';
  await call(query, 'GET', path, undefined, 200);
} catch (error) {
  if (error.name !== 'TimeoutError') throw error;
  console.log('time-out: no answer');
}
agent.destroy();
