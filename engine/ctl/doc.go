// Package ctl is computation tree logic over state models of one-safe nets.
package ctl
