#!/bin/sh
# Reviews what HEAD changes since BASE on as many pods as that is worth; run it in a clone that has both. REPOSITORY is what pods clone, IMAGE has redline,
# git and a shell. The exit status is the gate's. Pods with the label of their index take Kubernetes 1.28 or later.
set -eu
base=$(git rev-parse "$BASE") head=$(git rev-parse "$HEAD")
shards=$(($(redline plan --base "$base" --head "$head" --shards 16 | grep -o '"shard"' | wc -l)))
job=redline-$(echo "$head" | cut -c1-12)
found=$(mktemp -d)

kubectl create -f - <<END
apiVersion: batch/v1
kind: Job
metadata:
  name: $job
spec:
  completionMode: Indexed
  completions: $shards
  parallelism: $shards
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: redline
          image: $IMAGE
          command: ["sh", "-c"]
          args:
            - |
              git clone -q "$REPOSITORY" contracts && cd contracts
              redline review --base $base --head $head --shard \$((JOB_COMPLETION_INDEX + 1))/$shards --result ../found.json > ../report.txt
              cat ../found.json
END
kubectl wait --for=condition=complete --timeout=30m "job/$job" || true # what is missing then fails the merge, which says so
i=0
while [ $i -lt $shards ]; do
  kubectl logs --tail=-1 -l "batch.kubernetes.io/job-name=$job,batch.kubernetes.io/job-completion-index=$i" > "$found/$i.json" || true
  i=$((i + 1))
done
redline merge --shards $shards "$found"/*.json
