package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestOtherRunners: the files for GitLab and for Kubernetes give the same review as one runner. Both systems are simulated.
func TestOtherRunners(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs sh")
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/runners",
		UpdateScripts: *update,
		Cmds:          scriptCommands,
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"gitlab-ci.yml", "kubernetes.sh"} {
				text, err := os.ReadFile(filepath.Join("../../.github/docs/runners", name))
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), text, 0o666); err != nil {
					return err
				}
			}
			env.Setenv("PODS", filepath.Join(env.WorkDir, "pods"))
			return setUp(env)
		},
	})
}

// A pipeline is the part of GitLab's format that the file uses. Other keys, such as variables, are read as jobs without a script.
type pipeline struct {
	Stages []string
	Jobs   map[string]yaml.Node `yaml:",inline"`
}

type pipelineJob struct {
	Stage     string
	Parallel  int
	Script    []string
	Artifacts struct{ Paths []string }
	Trigger   struct {
		Include  []struct{ Artifact, Job string }
		Strategy string
	}
}

// gitlab simulates GitLab: gitlab FILE runs a pipeline. Each job gets a clone of $CHECKOUT and the artifacts of earlier stages.
func gitlab() {
	artifacts, err := os.MkdirTemp("", "artifacts")
	if err == nil {
		err = runPipeline(os.Args[1], artifacts)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// runPipeline runs the jobs of a pipeline, stage by stage.
func runPipeline(file, artifacts string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var p pipeline
	if err := yaml.Unmarshal(raw, &p); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, stage := range p.Stages {
		for name, node := range p.Jobs {
			var j pipelineJob
			if node.Kind != yaml.MappingNode || node.Decode(&j) != nil || j.Stage != stage {
				continue
			}
			fmt.Println("job", name)
			if err := j.run(artifacts); err != nil {
				return fmt.Errorf("job %s: %w", name, err)
			}
		}
	}
	return nil
}

// run runs a job, once for each of its parallel instances, or its child pipeline.
func (j *pipelineJob) run(artifacts string) error {
	for _, child := range j.Trigger.Include {
		if j.Trigger.Strategy != "depend" {
			return fmt.Errorf("the child pipeline decides nothing with strategy %q", j.Trigger.Strategy)
		}
		if err := runPipeline(filepath.Join(artifacts, child.Artifact), artifacts); err != nil {
			return err
		}
	}
	if len(j.Script) == 0 {
		return nil
	}
	made := map[string]string{} // by path in the artifacts, the file
	for i := range max(1, j.Parallel) {
		dir, err := os.MkdirTemp("", "job")
		if err != nil {
			return err
		}
		env := []string{"CI_NODE_TOTAL=" + strconv.Itoa(max(1, j.Parallel))}
		if j.Parallel > 0 {
			env = append(env, "CI_NODE_INDEX="+strconv.Itoa(i+1))
		}
		setUp := fmt.Sprintf("git clone -q %q . && cp -R %q/. .", os.Getenv("CHECKOUT"), artifacts)
		if err := inShell(dir, env, os.Stdout, append([]string{setUp}, j.Script...)...); err != nil {
			return err
		}
		for _, path := range j.Artifacts.Paths {
			made[filepath.Join(dir, path)] = path
		}
	}
	for from, path := range made {
		if err := inShell(".", nil, os.Stdout, fmt.Sprintf("cp -R %q %q", from, filepath.Dir(filepath.Join(artifacts, path)))); err != nil {
			return err
		}
	}
	return nil
}

// inShell runs lines one after the other, until one fails.
func inShell(dir string, env []string, out io.Writer, lines ...string) error {
	cmd := exec.Command("sh", "-ec", strings.Join(lines, "\n"))
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), env...), out, os.Stderr
	return cmd.Run()
}

// kubectl simulates a cluster: create runs the pods of an indexed job, wait fails if one of them failed, logs prints the output of one.
func kubectl() {
	if err := simulated(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// simulated runs one kubectl command.
func simulated(args []string) error {
	pods := os.Getenv("PODS")
	last := args[len(args)-1]
	switch args[0] {
	case "create":
		return createJob(pods)
	case "wait":
		failed, err := filepath.Glob(filepath.Join(pods, strings.TrimPrefix(last, "job/"), "*.failed"))
		if err == nil && len(failed) > 0 {
			err = fmt.Errorf("timed out waiting for the condition on %s", last)
		}
		return err
	case "logs":
		labels := map[string]string{}
		for label := range strings.SplitSeq(last, ",") {
			k, v, _ := strings.Cut(label, "=")
			labels[strings.TrimPrefix(k, "batch.kubernetes.io/")] = v
		}
		text, err := os.ReadFile(filepath.Join(pods, labels["job-name"], labels["job-completion-index"]))
		if err == nil {
			_, err = os.Stdout.Write(text)
		}
		return err
	}
	return fmt.Errorf("kubectl %v is not simulated", args)
}

// createJob runs the pods of the job on standard input, and keeps what each prints in a file by its index.
func createJob(pods string) error {
	var job struct {
		Kind     string
		Metadata struct{ Name string }
		Spec     struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int
			Template       struct {
				Spec struct {
					Containers []struct{ Command, Args []string }
				}
			}
		}
	}
	if err := yaml.NewDecoder(os.Stdin).Decode(&job); err != nil {
		return err
	}
	if job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" {
		return fmt.Errorf("%s in mode %q is no indexed job", job.Kind, job.Spec.CompletionMode)
	}
	dir := filepath.Join(pods, job.Metadata.Name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i := range job.Spec.Completions {
		log, err := os.Create(filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			return err
		}
		container := job.Spec.Template.Spec.Containers[0]
		words := slices.Concat(container.Command, container.Args)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, err = os.MkdirTemp("", "pod")
		if err != nil {
			return err
		}
		cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "JOB_COMPLETION_INDEX="+strconv.Itoa(i)), log, os.Stderr
		if cmd.Run() != nil || os.Getenv("LOSE") == strconv.Itoa(i) {
			if err := os.Rename(log.Name(), log.Name()+".failed"); err != nil {
				return err
			}
		}
		if err := log.Close(); err != nil {
			return err
		}
	}
	return nil
}
