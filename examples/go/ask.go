// Submits a purchase and asks about it, with the standard library only.
//
//	go run ask.go SOCKETS EVIDENCE        go run ask.go /run/usher transaction.jws
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// The members of answers that are read here; Status, Code and Detail are a problem's.
type answer struct {
	Transactions        []struct{ Transaction, Verdict string }
	Decision            bool
	Context             struct{ Reason string }
	State, Code, Detail string
	Status              int
}

// A client of a unix socket; it keeps connections open and reuses them.
func client(path string, timeout time.Duration) *http.Client {
	dial := func(string, string) (net.Conn, error) { return net.Dial("unix", path) }
	return &http.Client{Timeout: timeout, Transport: &http.Transport{Dial: dial}}
}

// Reads an answer or a problem; an error is a question without an answer.
func read(response *http.Response, err error) (found answer, _ error) {
	if err != nil {
		return found, err
	}
	defer response.Body.Close()
	return found, json.NewDecoder(response.Body).Decode(&found)
}

func expect(found answer, err error) answer {
	if err != nil || found.Code != "" {
		log.Fatal(err, found)
	}
	return found
}

func main() {
	query := client(os.Args[1]+"/query.sock", 2*time.Second)
	operations := client(os.Args[1]+"/usher.sock", 2*time.Second)
	const host, kind = "http://localhost", "application/json"
	const rights = host + "/v1/accounts/bruno/entitlements"

	// Evidence, from the service that the app sends its transactions to.
	payload, _ := os.ReadFile(os.Args[2])
	body, _ := json.Marshal(map[string]string{"account": "bruno", "payload": string(payload)})
	found := expect(read(operations.Post(host+"/v1/evidence", kind, strings.NewReader(string(body)))))
	for _, one := range found.Transactions {
		fmt.Printf("evidence: transaction %s %s\n", one.Transaction, one.Verdict)
	}

	// A question in the form of AuthZEN.
	question := strings.NewReader(`{"subject": {"type": "account", "id": "bruno"},
		"action": {"name": "use"}, "resource": {"type": "entitlement", "id": "no-ads"}}`)
	found = expect(read(query.Post(host+"/access/v1/evaluation", kind, question)))
	fmt.Printf("evaluation: %t (%s)\n", found.Decision, found.Context.Reason)

	// The same question as a plain GET.
	found = expect(read(query.Get(rights + "/no-ads")))
	fmt.Printf("entitlement: %t (%s)\n", found.Decision, found.State)

	// A problem has a status and a stable code. Repeat a 429 or 503 after its Retry-After.
	found, _ = read(query.Get(rights + "/no-such-thing"))
	fmt.Printf("problem: %d %s\n", found.Status, found.Code)

	// Set a time-out and decide what no answer means for your product. (This
	// question waits for a revision that the ledger has not reached.)
	query.Timeout = 200 * time.Millisecond
	if _, err := read(query.Get(rights + "?min_revision=999999")); os.IsTimeout(err) {
		fmt.Println("time-out: no answer")
	}
}
